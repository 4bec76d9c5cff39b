import BrowserOnly from "@docusaurus/BrowserOnly";
import { useEffect, useState } from "react";

function List({ id }) {
  const [files, setFiles] = useState([]);
  useEffect(() => {
    fetch(`/api/files/${id}.json`).then((answer) => answer.json()).then((data) => setFiles(data.files));
  }, [id]);
  return <ul>{files.map((file) => <li key={file.url}><a href={file.url}>{file.name}</a></li>)}</ul>;
}

export default function Files({ id }) {
  return <BrowserOnly>{() => <List id={id} />}</BrowserOnly>;
}
