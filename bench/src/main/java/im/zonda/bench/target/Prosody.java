package im.zonda.bench.target;

import static java.util.Map.entry;

import im.zonda.bench.process.Certificates;
import im.zonda.bench.process.ChildProcess;
import im.zonda.bench.process.Programs;
import im.zonda.bench.xmpp.Endpoint.Security;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Prosody of the Debian package, with stream management (XEP-0198), and archives (XEP-0313) in its
/// own files.
///
/// @param archives whether messages are archived; if not, its name is `prosody-volatile`
record Prosody(boolean archives) implements Peer {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Override
  public String name() {
    return archives ? "prosody" : "prosody-volatile";
  }

  @Override
  public String version() throws IOException {
    Path _ = program();
    if (Programs.find("dpkg-query").isEmpty()) {
      return "";
    }
    Path output = Files.createTempFile("zonda-bench-", ".out");
    try {
      ProcessBuilder query = new ProcessBuilder("dpkg-query", "-W", "-f=${Version}", "prosody");
      return ChildProcess.run("dpkg-query", query, output, LIMIT).strip();
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static Path program() throws IOException {
    return Programs.need("prosody", "prosody");
  }

  @Override
  public ProcessBuilder prepare(PeerPlace place) throws IOException {
    Path data = Files.createDirectory(place.folder().path().resolve("data"));
    boolean direct = place.security() == Security.TLS;
    String settings =
        Template.fill(
            "prosody.cfg.lua.in",
            Map.ofEntries(
                entry("PORT", direct ? "" : PeerPlace.port(place.tcp())),
                entry("TLS_PORT", direct ? PeerPlace.port(place.tcp()) : ""),
                entry("HTTP_PORT", PeerPlace.port(place.http())),
                entry("DOMAIN", place.domain()),
                entry("DIR", String.valueOf(data.getParent())),
                entry("CERTIFICATES", certificates(place.certificates())),
                entry("TLS", place.security() == Security.STARTTLS ? "\"tls\"," : ""),
                entry("STORAGE", "internal"),
                entry("BACKEND", "epoll"),
                entry("ARCHIVE", archives ? "\"mam\", -- XEP-0313" : ""),
                entry("ROOM_ARCHIVE", archives ? "\"muc_mam\"" : ""),
                entry("ARCHIVED", Boolean.toString(archives)),
                entry("ROOT", Boolean.toString(Programs.isRoot()))));
    Path file = place.folder().write("prosody.cfg.lua", settings);
    return new ProcessBuilder(program().toString(), "--root", "--config", file.toString(), "-F");
  }

  private static String certificates(Certificates files) {
    return "ssl = { certificate = \"" + files.certificate() + "\"; key = \"" + files.key() + "\" }";
  }

  @Override
  public List<String> notes() {
    return List.of(
        archives
            ? "archive in files of its own, which are written without a flush of the disk"
            : "no archives");
  }
}
