import { createApp, ref } from "vue/dist/vue.esm-bundler.js";
import { createRouter, createWebHistory } from "vue-router";

const List = {
  template: `<ul><li v-for="set in sets"><router-link :to="'/dataset/' + set.id">{{ set.title }}</router-link></li></ul>
    <button v-if="next" @click="load">Load more</button>`,
  setup() {
    const sets = ref([]), next = ref("/api/list?page=1");
    async function load() {
      const answer = await (await fetch(next.value)).json();
      sets.value.push(...answer.sets);
      next.value = answer.next;
    }
    load();
    return { sets, next, load };
  },
};
const Detail = {
  template: `<h1>{{ set.title }}</h1><p v-for="file in set.files"><a :href="file.url">{{ file.name }}</a></p>`,
  setup() {
    const set = ref({});
    const id = location.pathname.split("/").pop();
    fetch(`/data/${id}.json`).then((answer) => answer.json()).then((data) => { set.value = data; });
    return { set };
  },
};
const routes = [{ path: "/", component: List }, { path: "/dataset/:id", component: Detail }];
const router = createRouter({ history: createWebHistory(), routes });
createApp({ template: "<router-view />" }).use(router).mount("#app");
