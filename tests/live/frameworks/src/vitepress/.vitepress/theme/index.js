import DefaultTheme from "vitepress/theme-without-fonts";
import Files from "./Files.vue";
export default { extends: DefaultTheme, enhanceApp({ app }) { app.component("Files", Files); } };
