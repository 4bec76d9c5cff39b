"""The texts of a generated site in each language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language."""

    office: str
    names: dict[str, str]  # of sections and parts of pages, by their English key
    topics: tuple[str, ...]
    sentences: tuple[str, ...]  # each contains one number


KEYS = (
    "home", "about", "contact", "glossary", "topics", "publications", "news", "datasets",
    "archive", "downloads", "releases", "notices", "page", "related", "latest", "partners",
)  # fmt: skip


def _names(text: str) -> dict[str, str]:
    return dict(zip(KEYS, text.split(", "), strict=True))


WORDS = {
    "en": Words(
        "Office for National Statistics & Data",
        _names(
            "Home, About us, Contact, Glossary, Topics, Publications, News, Data sets, Archive, "
            "Downloads, Statistical releases, Notices, Page, See also, Latest news, Partners"
        ),
        (
            "Population", "Prices", "Labour market", "Foreign trade", "Health", "Education",
            "Energy", "Transport", "Agriculture", "Tourism", "Income", "Housing",
        ),
        (
            "The index rose by {} % over the year.",
            "In total, {} households answered the survey.",
            "Compared with the previous quarter, the change is {} points.",
            "Regions with fewer than {} inhabitants are shown together.",
        ),
    ),
    "fr": Words(
        "Institut de la statistique & des données",
        _names(
            "Accueil, À propos, Contact, Glossaire, Thèmes, Publications, Actualités, "
            "Jeux de données, Archives, Téléchargements, Informations statistiques, Avis, "
            "Page, Voir aussi, À la une, Partenaires"
        ),
        (
            "Population", "Prix", "Marché du travail", "Commerce extérieur", "Santé",
            "Éducation", "Énergie", "Transports", "Agriculture", "Tourisme", "Revenus", "Logement",
        ),
        (
            "L'indice a augmenté de {} % sur un an.",
            "Au total, {} ménages ont répondu à l'enquête.",
            "Par rapport au trimestre précédent, l'écart est de {} points.",
            "Les régions de moins de {} habitants sont regroupées.",
        ),
    ),
    "de": Words(
        "Amt für Statistik & Daten",
        _names(
            "Startseite, Über uns, Kontakt, Glossar, Themen, Veröffentlichungen, Aktuelles, "
            "Datensätze, Archiv, Herunterladen, Statistische Berichte, Hinweise, "
            "Seite, Siehe auch, Neuigkeiten, Partner"
        ),
        (
            "Bevölkerung", "Preise", "Arbeitsmarkt", "Außenhandel", "Gesundheit", "Bildung",
            "Energie", "Verkehr", "Landwirtschaft", "Tourismus", "Einkommen", "Wohnen",
        ),
        (
            "Der Index stieg im Jahresvergleich um {} %.",
            "Insgesamt haben {} Haushalte geantwortet.",
            "Gegenüber dem Vorquartal beträgt die Änderung {} Punkte.",
            "Regionen mit weniger als {} Einwohnern sind zusammengefasst.",
        ),
    ),
    "es": Words(
        "Instituto de Estadística & Datos",
        _names(
            "Inicio, Quiénes somos, Contacto, Glosario, Temas, Publicaciones, Noticias, "
            "Conjuntos de datos, Archivo, Descargas, Informes estadísticos, Avisos, "
            "Página, Véase también, Últimas noticias, Socios"
        ),
        (
            "Población", "Precios", "Mercado laboral", "Comercio exterior", "Salud", "Educación",
            "Energía", "Transporte", "Agricultura", "Turismo", "Ingresos", "Vivienda",
        ),
        (
            "El índice subió un {} % en un año.",
            "En total, {} hogares respondieron a la encuesta.",
            "Respecto al trimestre anterior, el cambio es de {} puntos.",
            "Las regiones con menos de {} habitantes se muestran juntas.",
        ),
    ),
}  # fmt: skip
