"""Texts of links that say nothing about what they lead to: "Download (PDF, 2 MB)", "here"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from lodehound.core.file_endings import FILE_ENDINGS

# Words, in lower case, that links have whatever they lead to.
GENERIC = FILE_ENDINGS | frozenset(
    """
    a an and as click com de del der des die die du el en for format full get go here in index is it
    la le link links los more now of on open or page please read see show the this to und version
    view via web with www http https html htm
    adobe archive archivo archivos arquivo attached bestand bytes datei dateien data dokument
    document documento documents documentos download downloads downloadable dwnld excel fichier
    fichiers file files fitxer formato kb kib mb mib gb microsoft ms openoffice powerpoint
    spreadsheet text texte texto textversion volltext word xls
    herunterladen hier klicken anzeigen öffnen ansehen mehr weiter weiterlesen lesen
    télécharger telecharger téléchargement ici voir lire ouvrir cliquez consulter suite
    descargar descarga descargas aquí aqui ver abrir clic pinche haga leer más mas consultar
    baixar acesse clique leia mais scarica scaricare qui apri leggi vedi visualizza
    downloaden bekijken lees meer klik ladda ned här læs hent last lataa avaa
    pobierz tutaj zobacz otwórz stáhnout zde stiahnuť tu prenesi preuzmi letöltés itt
    descarcă descarca aici indir скачать здесь загрузить открыть подробнее завантажити тут
    تحميل تنزيل هنا הורדה ダウンロード こちら 下载 下載 查看 다운로드
    """.split()
)
# What comes before the name of a file.
DOWNLOAD = frozenset(
    """
    download downloads herunterladen télécharger telecharger descargar descarga baixar scarica
    downloaden pobierz stáhnout скачать загрузить завантажити تحميل تنزيل
    """.split()
)
WORD = re.compile(r"[^\W\d_]{2,}")
BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]{1,60})[)\]]\s*\Z")
FORMAT = re.compile(
    r"[\s\-:|,]+(pdf|csv|xlsx?|ods|docx?|odt|pptx?|zip|json|xml|txt|html?)\s*\Z", re.IGNORECASE
)
FILE_NAME = re.compile(r"\S{1,200}\.[A-Za-z][A-Za-z0-9]{1,6}\Z")


def has_words(text: str, count: int = 1) -> bool:
    """Return whether a text has so many words of two letters or more.

    >>> has_words("12 March, 2 p.m."), has_words("12 March, 2 p.m.", 2)
    (True, False)
    """
    return next(islice(WORD.finditer(text), count - 1, None), None) is not None


@lru_cache(maxsize=4096)  # most of them repeat
def is_generic(text: str) -> bool:
    """Return whether a text could stand on any link.

    >>> is_generic("[PDF] (1-15)"), is_generic("table-3.xlsx"), is_generic("Births, 2024")
    (True, True, False)
    """
    if FILE_NAME.match(text):
        return True
    return all(word[0].casefold() in GENERIC for word in WORD.finditer(text))


@lru_cache(maxsize=4096)
def essence(text: str) -> tuple[str, str]:
    """Return the text of a link without what says how to get the file, and what was left out.

    >>> essence("Download Births in 2024 (PDF, 2 MB)")
    ('Births in 2024', 'PDF, 2 MB')
    >>> essence("[PDF]")
    ('', 'PDF')
    """
    if is_generic(text):
        return "", text.strip(" []()")
    kept, left = text, ""
    while (inside := BRACKETS.search(kept)) and has_words(inside[1]) and is_generic(inside[1]):
        kept, left = kept[: inside.start()], inside[1]
    if form := FORMAT.search(kept):
        kept, left = kept[: form.start()], left or form[1]
    first, _, rest = kept.partition(" ")
    while rest and first.casefold().rstrip(":") in DOWNLOAD:
        kept = rest.lstrip(" :-")
        first, _, rest = kept.partition(" ")
    return kept, left
