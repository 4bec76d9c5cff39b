import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useParams } from "react-router-dom";

function useJson(url) {
  const [data, setData] = useState(null);
  useEffect(() => { fetch(url).then((answer) => answer.json()).then(setData); }, [url]);
  return data;
}

function List() {
  const data = useJson("/api/sets");
  if (!data) return <p>Loading ...</p>;
  return <ul>{data.sets.map((set) => <li key={set.id}><Link to={`/sets/${set.id}`}>{set.title}</Link></li>)}</ul>;
}

function Detail() {
  const data = useJson(`/api/sets/${useParams().id}`);
  if (!data) return <p>Loading ...</p>;
  return <><h1>{data.title}</h1>{data.files.map((file) => <p key={file.url}><a href={file.url}>{file.name}</a></p>)}</>;
}

function App() {
  return (
    <BrowserRouter>
      <nav><Link to="/">Data</Link> <Link to="/about">About</Link></nav>
      <Routes>
        <Route path="/" element={<List />} />
        <Route path="/sets/:id" element={<Detail />} />
        <Route path="/about" element={<p>About this portal.</p>} />
      </Routes>
    </BrowserRouter>
  );
}

createRoot(document.getElementById("root")).render(<App />);
