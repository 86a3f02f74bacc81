package im.zonda.bench.target;

import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.Programs;
import im.zonda.bench.xmpp.Endpoint.Security;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// ejabberd of the Debian package, with stream management (XEP-0198), and archives (XEP-0313) in
/// Mnesia.
///
/// @param archives whether messages are archived; if not, its name is `ejabberd-volatile`
record Ejabberd(boolean archives) implements Peer {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int DEEP = 3;

  /// As the file of the Debian package advises: every message of everyone is archived.
  private static final String ARCHIVE =
      """
        mod_mam:
          db_type: mnesia
          assume_mam_usage: true
          default: always
      """;

  @Override
  public String name() {
    return archives ? "ejabberd" : "ejabberd-volatile";
  }

  @Override
  public String version() throws IOException {
    String library = String.valueOf(library().getFileName());
    int hyphen = library.indexOf('-');
    return hyphen < 0 ? packageVersion() : library.substring(hyphen + 1);
  }

  private static String packageVersion() throws IOException {
    Optional<Path> dpkg = Programs.find("dpkg-query");
    if (dpkg.isEmpty()) {
      return "";
    }
    Path output = Files.createTempFile("zonda-bench-", ".out");
    try {
      ProcessBuilder query =
          new ProcessBuilder(dpkg.get().toString(), "-W", "-f=${Version}", "ejabberd");
      return ChildProcess.run("dpkg-query", query, output, LIMIT).strip();
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /// The folder with the program, whose name has the version if several may be beside each other.
  private static Path library() throws IOException {
    Path _ = Programs.need("ejabberdctl", "ejabberd");
    for (String root : List.of("/usr/lib", "/usr/local/lib")) {
      try (Stream<Path> found =
          Files.find(
              Path.of(root),
              DEEP,
              (path, _) -> String.valueOf(path.getFileName()).matches("ejabberd(-[0-9].*)?"))) {
        Optional<Path> library =
            found
                .filter(path -> Files.exists(path.resolve("ebin").resolve("ejabberd.app")))
                .findFirst();
        if (library.isPresent()) {
          return library.get();
        }
      }
    }
    throw new IOException("the program of ejabberd is not where the Debian package has it");
  }

  /// Without `ejabberdctl`, which would change to another user and distribute Erlang; so there is
  /// no name of a node, no port for other nodes, and no `epmd`. The flags are its own.
  @Override
  public ProcessBuilder prepare(PeerPlace place) throws IOException {
    Path library = library();
    String pem =
        Files.readString(place.certificates().certificate())
            + Files.readString(place.certificates().key());
    Path certificate = place.folder().write("certificate.pem", pem);
    String settings =
        Template.fill(
            "ejabberd.yml.in",
            Map.of(
                "PORT", PeerPlace.port(place.tcp()),
                "HTTP_PORT", PeerPlace.port(place.http()),
                "DOMAIN", place.domain(),
                "DIR", place.folder().path().toString(),
                "STARTTLS", Boolean.toString(place.security() == Security.STARTTLS),
                "TLS", Boolean.toString(place.security() == Security.TLS),
                "CERTIFICATES",
                    place.security() == Security.NONE
                        ? ""
                        : "certfiles:\n  - \"" + certificate + "\"",
                "ARCHIVE", archives ? ARCHIVE : "",
                "ARCHIVED", Boolean.toString(archives),
                "SQL", ""));
    Path file = place.folder().write("ejabberd.yml", settings);
    ProcessBuilder builder =
        new ProcessBuilder(
            Programs.need("erl", "erlang-base").toString(),
            "+K",
            "true",
            "+P",
            "250000",
            "-noinput",
            "-mnesia",
            "dir",
            "\"" + place.file("mnesia") + "\"",
            "-ejabberd",
            "quiet",
            "true",
            "-s",
            "ejabberd");
    Map<String, String> environment = builder.environment();
    environment.put("ERL_LIBS", String.valueOf(library.getParent()));
    environment.put("EJABBERD_CONFIG_PATH", file.toString());
    environment.put("EJABBERD_LOG_PATH", place.file("ejabberd.log"));
    environment.put("ERL_MAX_PORTS", "200000");
    environment.put("ERL_MAX_ETS_TABLES", "2053");
    environment.put("ERL_CRASH_DUMP_BYTES", "0");
    environment.put("HOME", place.folder().path().toString());
    return builder;
  }

  @Override
  public List<String> notes() {
    return List.of(
        archives
            ? "archive in Mnesia, which is written without a flush of the disk"
            : "no archives",
        "schedulers that spin when idle, as by default");
  }
}
