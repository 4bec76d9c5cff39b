export default {
  title: "Statistics handbook",
  url: "http://127.0.0.1",
  baseUrl: "/",
  trailingSlash: false,
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/" }]],
  themes: ["@docusaurus/theme-classic"],
  themeConfig: { navbar: { title: "Statistics handbook" } },
};
