package im.zonda.bench.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Openfire from a folder that it was unpacked into, with its embedded database. The folder is
/// copied in part and not changed.
final class Openfire implements Peer {
  private final String folder;

  /// @param folder the value of `--openfire`
  Openfire(String folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "openfire";
  }

  private Path home() throws IOException {
    if (folder.isEmpty()) {
      throw new IOException(
          "Openfire is not installed; unpack it and name its folder with --openfire");
    }
    Path home = Path.of(folder).toAbsolutePath();
    if (!Files.exists(home.resolve("lib").resolve("startup.jar"))) {
      throw new IOException(home + " has no lib/startup.jar, so it is no folder of Openfire");
    }
    return home;
  }

  @Override
  public String version() throws IOException {
    try (Stream<Path> libraries = Files.list(home().resolve("lib"))) {
      return libraries
          .map(path -> String.valueOf(path.getFileName()))
          .filter(name -> name.matches("xmppserver-[0-9].*\\.jar"))
          .map(name -> name.substring("xmppserver-".length(), name.length() - ".jar".length()))
          .findFirst()
          .orElse("");
    }
  }

  /// The settings are those that its set-up would have written: an embedded database, an
  /// administrator, registration by clients.
  @Override
  public ProcessBuilder prepare(PeerPlace place) throws IOException {
    Path home = home();
    Path own = Files.createDirectory(place.folder().path().resolve("openfire"));
    for (String part : List.of("lib", "resources", "plugins")) {
      if (Files.exists(home.resolve(part))) {
        copy(home.resolve(part), own.resolve(part));
      }
    }
    Path settings = Files.createDirectory(own.resolve("conf"));
    Files.writeString(
        settings.resolve("openfire.xml"),
        Template.fill(
            "openfire.xml.in",
            Map.of(
                "DOMAIN",
                place.domain(),
                "PORT",
                PeerPlace.port(place.tcp()),
                "HTTP_PORT",
                PeerPlace.port(place.http()))));
    if (Files.exists(home.resolve("conf").resolve("security.xml"))) {
      Files.copy(home.resolve("conf").resolve("security.xml"), settings.resolve("security.xml"));
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-DopenfireHome=" + own,
            "-Dopenfire.lib.dir=" + own.resolve("lib"),
            "-jar",
            own.resolve("lib").resolve("startup.jar").toString())
        .directory(own.toFile());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path _ = Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  @Override
  public List<String> notes() {
    return List.of("embedded database");
  }
}
