"""The public sources, each with its address, licence and the version that the scripts read; fetches what is not there yet."""
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import tarfile
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path


class SourceError(Exception):
    """A source is missing, damaged or of another version than the scripts read."""


@dataclass(frozen=True)
class Source:
    """One source. `url` ends in .git for a repository, pinned by `version`, a commit; otherwise it is an archive, pinned by `version`,
    the SHA-256 digest of the file."""

    name: str
    title: str
    licence: str
    url: str
    version: str


def github(name, title, licence, repository, commit):
    return Source(name, title, licence, f"https://github.com/{repository}.git", commit)


def libreoffice(code, digest):
    pool = "https://deb.debian.org/debian/pool/main/libr/libreoffice"
    return Source(
        f"libreoffice-{code}", "LibreOffice interface strings", "MPL-2.0", f"{pool}/libreoffice-l10n-{code}_7.4.7-1+deb12u14_all.deb", digest
    )


SOURCES = {
    source.name: source
    for source in (
        github("web-bible", "World English Bible", "public domain", "kahunapule/worldenglishbible", "d8d56634755cec166a8380b4f46b7e39b406d311"),
        github("arabic-bible", "Smith & Van Dyke, 1865", "public domain", "krezek/Peshitta", "08a7cfd7c826c93999de7236b6b738523190049a"),
        github(
            "hindi-bible", "Hindi Bible of Free Bibles India", "CC BY-SA 4.0", "FreeBiblesIndia/Hindi_Bible",
            "0bc468f34cbfb77fefeb2685616e91fbd7d55101",
        ),
        github("tico19", "TICO-19", "CC0 1.0", "tico-19/tico-19.github.io", "d97615f9cffa28ec7de571e00fbd513e5a1c7fc7"),
        github("godot", "Godot editor strings", "MIT", "godotengine/godot-editor-l10n", "da7b2eb4c053482af6fcccb26707d8c5d14705a4"),
        github("kolibri", "Kolibri strings", "MIT", "learningequality/kolibri", "9966f00def5fb3df0b3670bc85c007d85f6a8ab0"),
        github("studio", "Kolibri Studio strings", "MIT", "learningequality/studio", "52835d38361a2eda67c7926ca4e2270e3c391809"),
        github("odk", "ODK Collect strings", "Apache-2.0", "getodk/collect", "137f3259b18e5af3c08339f9016278b277812cc2"),
        github(
            "iot", "IoT for Beginners, machine-translated", "MIT", "microsoft/IoT-For-Beginners", "8bd535533b39c8b70e2b027f69e18ac842812968"
        ),
        github("security", "Security 101, machine-translated", "MIT", "microsoft/Security-101", "2e6e0f30cd6914594640191a5bdd14c6914ebeab"),
        github("laser", "Tatoeba, as sampled by LASER", "CC BY 2.0 FR", "facebookresearch/LASER", "74bc6ae7ffb7cba670fe0f428d0ede9f666fb821"),
        github("tldr", "tldr pages", "CC BY 4.0", "tldr-pages/tldr", "08e345f42639f67d99282813247ac670dc6e87cb"),
        github(
            "omw", "Open Multilingual Wordnet", "see LICENCES in languages.py", "omwn/omw-data", "f75be19ec590da12a7a5665e361690b5badb7a25"
        ),
        github(
            "nltk", "Names Corpus 1.3, Mark Kantrowitz and Bill Ross", "free to use, with credit", "nltk/nltk_data",
            "5db857e6f7df11eabb5e5665836db9ec8df07e28",
        ),
        github(
            "wiktionary-dict", "Translations of English Wiktionary", "CC BY-SA 3.0", "open-dsl-dict/wiktionary-dict",
            "74c2c11f3398606ef334dd6d0d3ecb9555a44faf",
        ),
        Source(
            "wordnet", "Princeton WordNet 3.0", "WordNet licence",
            "https://deb.debian.org/debian/pool/main/w/wordnet/wordnet-base_3.0-37_all.deb",
            "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
        ),
        Source(
            "gnome-help", "GNOME Help", "CC BY-SA 3.0",
            "https://deb.debian.org/debian/pool/main/g/gnome-user-docs/gnome-user-docs_43.0-2_all.deb",
            "0d635a840747958ca84da778b40d341f1155603851f922c9a171f5a181d6a39f",
        ),
        Source(
            "django", "Django interface strings", "BSD-3-Clause",
            "https://files.pythonhosted.org/packages/5e/3d/a035a4ee9b1d4d4beee2ae6e8e12fe6dee5514b21f62504e22efcbd9fb46/django-5.2.8-py3-none-any.whl",
            "37e687f7bd73ddf043e2b6b97cfe02fcbb11f2dbb3adccc6a2b18c6daa054d7f",
        ),
        Source(
            "cldr-names", "Unicode CLDR names", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-localenames-full/-/cldr-localenames-full-48.2.0.tgz",
            "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57",
        ),
        Source(
            "cldr-annotations", "Unicode CLDR annotations", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-annotations-full/-/cldr-annotations-full-48.2.0.tgz",
            "28576e51225deb51e3ddd734b0f824a0079682cb5d8c27faa9f68149317a14d1",
        ),
        Source(
            "cldr-dates", "Unicode CLDR months and weekdays", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-dates-full/-/cldr-dates-full-48.2.0.tgz",
            "0256f1cefeca14f7d515be4872dda48fcdd7e75381430f25aafd0143eae5b430",
        ),
        Source(
            "osm-tags", "OpenStreetMap tagging schema", "ISC",
            "https://registry.npmjs.org/@openstreetmap/id-tagging-schema/-/id-tagging-schema-7.2.0.tgz",
            "5c95a50a232a699778e821b19b8c4b92f1719193ffb9069a88545ed9dff55b6b",
        ),
        libreoffice("ar", "819b371d138f656673fc0dbe46fcb7ab40bc9da00aa87e4fc7733c979b5fc5f5"),
        libreoffice("hi", "460c561a674450c0d1d7180e80448bd06eda76e7d3334c4343773d67da742d99"),
        libreoffice("de", "aee22c8e3b3c0431f6e1b0bc66f757ba36c860e2651a05eb050fde4897f06548"),
        libreoffice("ru", "01aec00c0f12f13994df49a0f41b8955bc93de1abf27acb281bc19a4c8feeae7"),
        libreoffice("zh-cn", "06b2800923811a11ddadc9e1e09ef8bda2a89ba118470403b2f6a897152e0809"),
        libreoffice("es", "ec8c42bbef9a1d6053cb32380739fa7551968708205a629a91e82484865d9822"),
        libreoffice("pt", "83ed70de5e5d53e5216445f10ddcd4722900a0712a3acdb3ea694f101aff919d"),
        libreoffice("id", "b16c7449f2628a6b959af10aa5c2bc8282c7c19d7e9f60fb70f7a650cc33866b"),
    )
}


def run(*command):
    """The output of a command; `SourceError` with what it wrote to its error stream if it fails."""
    result = subprocess.run(command, capture_output=True)
    if result.returncode:
        raise SourceError(f"`{' '.join(map(str, command))}` failed: {result.stderr.decode(errors='replace').strip()}")
    return result.stdout


class Sources:
    """Reads files of sources below one folder: `FOLDER/NAME` for a repository (a clone, or a bare one), `FOLDER/FILE` for an archive.
    A source that is not there is fetched, unless `offline`."""

    def __init__(self, folder, offline=False):
        self.folder = Path(folder)
        self.offline = offline
        self.used = {}
        self._archives = {}

    def files(self, name, *paths):
        """{path: bytes} of the files of source `name` that have one of the paths or stand below one of these folders."""
        source = SOURCES[name]
        self.used[name] = source
        if source.url.endswith(".git"):
            return self._from_repository(source, paths)
        files = self._archive(source)
        found = {path: data for path, data in files.items() if any(path == p or path.startswith(p.rstrip("/") + "/") for p in paths)}
        if not found:
            raise SourceError(f"{name}: none of these is in {self._path(source)}: {', '.join(paths)}")
        return found

    def file(self, name, path):
        return self.files(name, path)[path]

    def _path(self, source):
        return self.folder / (source.name if source.url.endswith(".git") else source.url.rpartition("/")[2])

    def _missing(self, source, path):
        return SourceError(f"{source.name} is missing: expected {path}, from {source.url} at {source.version} ({source.licence})")

    def _from_repository(self, source, paths):
        path = self._path(source)
        if not path.exists():
            if self.offline:
                raise self._missing(source, path)
            partial = path.with_name(path.name + ".partial")
            try:
                run("git", "init", "--quiet", "--bare", partial)
                run("git", "-C", partial, "fetch", "--quiet", "--depth", "1", source.url, source.version)
                os.replace(partial, path)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
        try:
            run("git", "-C", path, "cat-file", "-e", source.version + "^{commit}")
        except SourceError:
            raise SourceError(f"{path} has no commit {source.version}: remove the folder to fetch it from {source.url}") from None
        packed = run("git", "-C", path, "archive", "--format=tar", source.version, "--", *paths)
        return _members(tarfile.open(fileobj=io.BytesIO(packed)))

    def _archive(self, source):
        if source.name not in self._archives:
            path = self._path(source)
            if not path.exists():
                if self.offline:
                    raise self._missing(source, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                partial = path.with_name(path.name + ".partial")
                try:
                    with urllib.request.urlopen(source.url, timeout=120) as response:
                        partial.write_bytes(response.read())
                except OSError as error:
                    raise SourceError(f"{source.url}: {error}: save the file of {source.title} as {path}") from None
                os.replace(partial, path)
            data = path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            if digest != source.version:
                raise SourceError(f"{path}: expected SHA-256 {source.version}, found {digest}: remove the file to fetch it again")
            self._archives[source.name] = unpack(path.name, data)
        return self._archives[source.name]


def _members(archive):
    return {member.name.removeprefix("./"): archive.extractfile(member).read() for member in archive if member.isfile()}


def unpack(name, data):
    """The files of an npm package, a Python wheel or a Debian package: {path: bytes}."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {path: archive.read(path) for path in archive.namelist() if not path.endswith("/")}
    if name.endswith(".deb"):
        return _members(tarfile.open(fileobj=io.BytesIO(_data_of_deb(data))))
    return _members(tarfile.open(fileobj=io.BytesIO(data)))


def _data_of_deb(data):
    """The tar file with the files of a Debian package, an `ar` archive."""
    if not data.startswith(b"!<arch>\n"):
        raise SourceError("not a Debian package")
    at = 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode().strip(" /"), int(data[at + 48 : at + 58])
        if name == "data.tar.xz":
            return lzma.decompress(data[at + 60 : at + 60 + size])
        at += 60 + size + size % 2
    raise SourceError("a Debian package without data.tar.xz")
