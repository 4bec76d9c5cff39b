#!/usr/bin/env bash
# Builds the small sites that tests render, each with a real framework from the npm registry, and
# packs each into build/frameworks/NAME.zip: all of them, or those that are named. It needs node and
# npm. SOURCES.md names what is in them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
names=${*:-react vue vitepress docsify datatables docusaurus angular}
packed=$(cd "$here/../../.." && pwd)/build/frameworks
mkdir -p "$packed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/src/." "$work"

install() { # package... into the present folder; only what a build needs is run
  echo '{"private": true}' > package.json
  npm install --loglevel error --no-audit --no-fund --ignore-scripts "$@"
}

chapters() { # folder, number: pages that show everything in plain HTML
  mkdir -p "$1"
  for n in $(seq "$2"); do printf '# Chapter %s\n\nHow the office works, part %s.\n' "$n" "$n" > "$1/chapter-$n.md"; done
}

build_react() {
  install vite@6 esbuild react@18 react-dom@18 react-router-dom@6
  npm rebuild --silent esbuild
  npx vite build . --logLevel warn --emptyOutDir --outDir out
}

build_vue() {
  install vite@6 esbuild vue@3 vue-router@4
  npm rebuild --silent esbuild
  npx vite build . --logLevel warn --emptyOutDir --outDir out
}

build_vitepress() {
  install vitepress@1 esbuild vue@3
  npm rebuild --silent esbuild
  chapters guide 14
  mkdir -p data
  for n in $(seq 8); do
    printf '# Table %s\n\nFigures of the office, table %s.\n\n<ClientOnly><Files id="table-%s" /></ClientOnly>\n' "$n" "$n" "$n" \
      > "data/table-$n.md"
  done
  printf '# Handbook\n\n[Guide](/guide/chapter-1) and [data](/data/table-1)\n' > index.md
  npx vitepress build . --outDir out > /dev/null
  find out -name '*.woff2' -delete
}

build_docsify() {
  install docsify@4
  mkdir out
  cp index.html node_modules/docsify/lib/docsify.min.js out
  printf '# Manual\n\n[All files](files.md), [the archive](/archive-1.html ":ignore")\n' > out/README.md
  for n in $(seq 6); do
    printf '* [Part %s](part-%s.md)\n' "$n" "$n" >> out/_sidebar.md
    printf '# Part %s\n\n[a](/files/part-%s-a.csv ":ignore") [b](/files/part-%s-b.csv ":ignore")\n' "$n" "$n" "$n" > "out/part-$n.md"
  done
  printf '# All files\n\nSee the parts.\n' > out/files.md
  for n in 1 2 3 4; do
    printf '<!doctype html><title>Archive</title><p>Older files. <a href="/archive-%s.html">next</a> <a href="/files/archive-%s.csv">file</a></p>\n' \
      $((n % 4 + 1)) "$n" > "out/archive-$n.html"
  done
}

build_datatables() {
  install jquery@3 datatables.net@2
  mkdir out
  cp index.html node_modules/jquery/dist/jquery.min.js node_modules/datatables.net/js/dataTables.min.js out
  for n in $(seq 5); do
    printf '<!doctype html><title>Notes</title><p>Notes of the office. <a href="/">Register</a></p>\n' > "out/page-$n.html"
  done
}

build_docusaurus() {
  install @docusaurus/core@3 @docusaurus/plugin-content-docs@3 @docusaurus/theme-classic@3 react@18 react-dom@18
  chapters docs/guide 14
  mkdir -p docs/data
  for n in $(seq 8); do
    printf 'import Files from "@site/src/Files";\n\n# Table %s\n\nFigures of the office, table %s.\n\n<Files id="table-%s" />\n' \
      "$n" "$n" "$n" > "docs/data/table-$n.mdx"
  done
  DOCUSAURUS_IGNORE_SSG_WARNINGS=true npx docusaurus build --out-dir out > /dev/null
  find out -name '*.LICENSE.txt' -delete
}

build_angular() {
  install @angular/core@20 @angular/common@20 @angular/compiler@20 @angular/platform-browser@20 @angular/router@20 \
    @angular/compiler-cli@20 @angular/build@20 @angular/cli@20 typescript@5.8 rxjs@7
  npx ng build
  rm -f out/*.txt out/prerendered-routes.json
}

for name in $names; do
  cd "$work/$name"
  "build_$name"
  (cd out && python3 -m zipfile -c "$work/$name.zip" ./*)
  mv "$work/$name.zip" "$packed"
  npm ls --depth=0 | tail -n +2
done
