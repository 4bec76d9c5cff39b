import { Component, inject, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { ActivatedRoute, provideRouter, RouterLink, RouterOutlet } from "@angular/router";

interface Entry { id: string; title: string; }
interface Dataset { title: string; files: { name: string; url: string }[]; }

async function load<T>(url: string): Promise<T> {
  return (await fetch(url)).json();
}

@Component({
  imports: [RouterLink],
  template: `
    <ul>@for (set of sets(); track set.id) { <li><a [routerLink]="['/dataset', set.id]">{{ set.title }}</a></li> }</ul>
    <nav>@for (page of [1, 2, 3]; track page) { <button (click)="show(page)">{{ page }}</button> }</nav>`,
})
class List {
  sets = signal<Entry[]>([]);
  constructor() { this.show(1); }
  async show(page: number) { this.sets.set((await load<{ sets: Entry[] }>(`/api/list?page=${page}`)).sets); }
}

@Component({
  template: `
    <h1>{{ set().title }}</h1>
    @for (file of set().files; track file.url) { <button (click)="download(file.url)">Download {{ file.name }}</button> }`,
})
class Detail {
  set = signal<Dataset>({ title: "", files: [] });
  constructor() {
    const id = inject(ActivatedRoute).snapshot.params["id"];
    load<Dataset>(`/data/${id}.json`).then((set) => this.set.set(set));
  }
  download(url: string) { location.href = url; }
}

@Component({ selector: "app-root", imports: [RouterOutlet], template: "<router-outlet />" })
class Root {}

const routes = [{ path: "", component: List }, { path: "dataset/:id", component: Detail }];
bootstrapApplication(Root, { providers: [provideZonelessChangeDetection(), provideRouter(routes)] });
