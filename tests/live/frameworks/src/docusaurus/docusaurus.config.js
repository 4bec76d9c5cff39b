export default {
  title: "Statistics handbook",
  url: "http://127.0.0.1",
  baseUrl: "/",
  trailingSlash: false,
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, pages: false, sitemap: false }]],
  themeConfig: { navbar: { title: "Statistics handbook" } },
};
