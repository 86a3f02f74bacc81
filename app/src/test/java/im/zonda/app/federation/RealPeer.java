package im.zonda.app.federation;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A server of another project, as a process of its own with its data in a folder.
public final class RealPeer implements AutoCloseable {
  /// The servers, from the Debian packages of their names.
  public enum Kind {
    PROSODY,
    EJABBERD;

    /// The name of the Debian package.
    String packageName() {
      return this == PROSODY ? "prosody" : "ejabberd";
    }

    /// The domain that it serves.
    public String domain() {
      return packageName() + ".example";
    }

    /// The program that is there if the package is installed.
    private Path program() {
      return Path.of(this == PROSODY ? "/usr/bin/prosody" : "/usr/sbin/ejabberdctl");
    }

    public boolean isInstalled() {
      return Files.isExecutable(program());
    }
  }

  private static final int START_TRIES = 600;

  private final Kind kind;
  private final Path folder;
  private final Path certificates;
  private final Map<String, Integer> routes;
  private final SrvResponder dns;
  private final int clients = FreePorts.next();
  private final int servers = FreePorts.next();
  private Process process;

  /// Starts the server.
  ///
  /// @param folder where its data goes
  /// @param certificates folder with the authority, and with its certificate by its domain
  /// @param routes the ports of other servers on this machine by domain
  public RealPeer(Kind kind, Path folder, Path certificates, Map<String, Integer> routes)
      throws IOException {
    this.kind = kind;
    this.folder = folder;
    this.certificates = certificates;
    this.routes = Map.copyOf(routes);
    this.dns = new SrvResponder(routes);
    if (kind == Kind.PROSODY) {
      Files.createDirectory(folder.resolve("modules"));
      write("prosody.cfg.lua", "prosody.cfg.lua");
      write("prosody-modules/mod_test_routes.lua", "modules/mod_test_routes.lua");
    } else {
      write("ejabberd.yml", "ejabberd.yml");
      write("inetrc", "inetrc");
      String pem =
          Files.readString(certificates.resolve(kind.domain() + ".crt"))
              + Files.readString(certificates.resolve(kind.domain() + ".key"));
      Files.writeString(folder.resolve("certificate.pem"), pem);
    }
    this.process = start();
  }

  private void write(String template, String file) throws IOException {
    try (InputStream in = RealPeer.class.getResourceAsStream(template)) {
      String text =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
              .replace("@FOLDER@", folder.toString())
              .replace("@CERTIFICATES@", certificates.toString())
              .replace("@CLIENTS@", Integer.toString(clients))
              .replace("@SERVERS@", Integer.toString(servers))
              .replace("@DNS@", Integer.toString(dns.port()))
              .replace(
                  "@ROUTES@",
                  routes.entrySet().stream()
                      .map(each -> "[\"" + each.getKey() + "\"] = " + each.getValue())
                      .collect(Collectors.joining(", ")));
      Files.writeString(folder.resolve(file), text);
    }
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        kind == Kind.PROSODY
            ? new ProcessBuilder("prosody", "--config", inFolder("prosody.cfg.lua"), "-F")
            : ejabberd();
    return builder
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  /// Without `ejabberdctl`, which would change to another user and distribute Erlang.
  private ProcessBuilder ejabberd() throws IOException {
    String mnesia = "\"" + inFolder("mnesia") + "\"";
    ProcessBuilder builder =
        new ProcessBuilder(
            "erl", "+sbwt", "none", "-noinput", "-mnesia", "dir", mnesia, "-s", "ejabberd");
    try (Stream<Path> libraries = Files.list(Path.of("/usr/lib"))) {
      Path library =
          libraries
              .filter(each -> each.toString().endsWith("-linux-gnu"))
              .findFirst()
              .orElseThrow();
      builder.environment().put("ERL_LIBS", library.toString());
    }
    builder.environment().put("EJABBERD_CONFIG_PATH", inFolder("ejabberd.yml"));
    builder.environment().put("EJABBERD_LOG_PATH", inFolder("log"));
    builder.environment().put("ERL_INETRC", inFolder("inetrc"));
    builder.environment().put("HOME", folder.toString());
    return builder;
  }

  private String inFolder(String name) {
    return folder.resolve(name).toString();
  }

  /// Waits until it accepts connections of clients and servers.
  public RealPeer awaitStart() throws IOException, InterruptedException {
    for (int tries = 0; !accepts(clients) || !accepts(servers); tries++) {
      // It ends if it cannot start; there is no event for a port that begins to listen.
      if (process.waitFor(100, TimeUnit.MILLISECONDS) || tries > START_TRIES) {
        throw new AssertionError(
            kind + " did not start: " + Files.readString(folder.resolve("output")));
      }
    }
    return this;
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /// Kills it.
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /// Starts it again with the same data.
  void startAgain() throws IOException, InterruptedException {
    process = start();
    awaitStart();
  }

  public Kind kind() {
    return kind;
  }

  /// Where clients connect.
  public InetSocketAddress clientAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), clients);
  }

  /// Where other servers connect.
  public InetSocketAddress serverAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), servers);
  }

  /// Creates an account.
  public void register(String user) throws IOException {
    try (ScriptedClient client = connect()) {
      client.open(kind.domain());
      client.send(
          "<iq type='set' id='register'><query xmlns='jabber:iq:register'><username>"
              + user
              + "</username><password>secret</password></query></iq>");
      client.receiveFirst(each -> "register".equals(each.attribute("id")));
    }
  }

  /// A client of a user that exists.
  ScriptedClient login(String user) throws IOException {
    Login login = Login.of(user + "@" + kind.domain() + "/there", "secret");
    return connect().login(login.withSecurity(Login.Security.NONE));
  }

  private ScriptedClient connect() throws IOException {
    return new ScriptedClient(SocketWire.connect(clientAddress()));
  }

  /// What it has logged, for the message of a test that fails.
  String log() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("log"));
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }

  @Override
  public void close() {
    dns.close();
    kill();
  }
}
