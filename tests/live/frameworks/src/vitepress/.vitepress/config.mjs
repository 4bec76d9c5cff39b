const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);
export default {
  title: "Handbook",
  cleanUrls: false,
  themeConfig: {
    sidebar: [
      { text: "Guide", items: numbers(14).map((n) => ({ text: `Chapter ${n}`, link: `/guide/chapter-${n}` })) },
      { text: "Data", items: numbers(8).map((n) => ({ text: `Table ${n}`, link: `/data/table-${n}` })) },
    ],
  },
};
