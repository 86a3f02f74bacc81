package im.zonda.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.operation.AdminConsole;
import im.zonda.app.operation.ServerOperations;
import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.net.Listener;
import im.zonda.net.NetServer;
import im.zonda.net.http.HttpServer;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.SelfSigned;
import im.zonda.operation.Caller;
import im.zonda.operation.Grant;
import im.zonda.operation.Operations;
import im.zonda.runtime.ServerRuntime;
import im.zonda.testkit.FakeClock;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A server of `own.example` and `other.example` with its console on a free port, and raw requests
/// to it.
final class RunningConsole implements AutoCloseable {
  static final String HOST = "own.example";
  static final String ADMIN = "admin@own.example";

  private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([0-9a-f]+)\"");
  private static final Pattern COOKIE =
      Pattern.compile("Set-Cookie: (zonda-admin(?:-form)?)=([^;]*)", Pattern.CASE_INSENSITIVE);

  /// The time of the console; that of the server goes on by itself.
  final FakeClock clock = new FakeClock();

  final TestServer server;
  final Operations operations;
  final AdminConsole console;

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final boolean own;
  private final NetServer net;
  private final InetSocketAddress address;

  /// @param folder of the certificate
  RunningConsole(Path folder) throws IOException {
    this(
        folder,
        true,
        ServerPlan.of(StandardModules::create).withHosts(HOST, "other.example").startOnSockets());
  }

  /// @param folder of the certificate
  /// @param own whether the server ends with the console
  RunningConsole(Path folder, boolean own, TestServer server) throws IOException {
    this.own = own;
    this.server = server;
    ServerConfig config = server.config();
    ServerRuntime runtime =
        new ServerRuntime(
            clock, clock, () -> UUID.randomUUID().toString(), new SecureRandom(), workers);
    ServerOperations made = ServerOperations.over(server.server(), server.stores(), runtime);
    operations = made.operations();
    console =
        AdminConsole.of(
            config, made, () -> List.of(Listener.parse(Listener.Kind.HTTP, "127.0.0.1:5280")));
    HttpServer http =
        new HttpServer(
            new Http(List.of("127.0.0.1:0"), List.of(), null, List.of("*")),
            config.limits().http(),
            console.besidePagesOf(server.server().http()),
            runtime);
    net =
        new NetServer(
            new NetServer.Settings(http.listeners(), 1, NetServer.Io.AUTO),
            new Certificates(
                new CertificateFiles(
                    List.of(
                        SelfSigned.ensure(
                            folder, List.of(HOST), InstantSource.system(), new SecureRandom()))),
                InstantSource.system()),
            server.server().streams(),
            workers);
    address = net.start().getFirst().address();
  }

  /// A browser, which keeps its cookies.
  Window window() {
    return new Window();
  }

  /// A browser of someone with those rights.
  Window signedIn(String name, Grant grant) throws IOException {
    Window window = window();
    String link =
        Objects.requireNonNull(
            Objects.requireNonNull(console.console())
                .newLink(new Caller(name, Caller.Via.SOCKET, null, grant)));
    assertThat(window.useLink(link)).contains("303 ", "Location: /admin/\r\n");
    return window;
  }

  /// Sends text and returns everything until the server closes.
  String exchange(String text) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address);
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static int status(String response) {
    assertThat(response).startsWith("HTTP/1.1 ");
    return Integer.parseInt(response.substring(9, 12));
  }

  /// The token of the form on a page.
  static String token(String page) {
    Matcher found = TOKEN.matcher(page);
    assertThat(found.find()).as(page).isTrue();
    return found.group(1);
  }

  /// A browser.
  final class Window {
    private final Map<String, String> cookies = new TreeMap<>();

    /// The cookie of the session; null if there is none.
    @Nullable String session() {
      return cookies.get("zonda-admin");
    }

    void setSession(String value) {
      cookies.put("zonda-admin", value);
    }

    String get(String path, String... fields) throws IOException {
      return send("GET", path, "", fields);
    }

    /// @param form the pairs of names and values
    String post(String path, List<String> form, String... fields) throws IOException {
      StringBuilder body = new StringBuilder();
      for (int i = 0; i < form.size(); i += 2) {
        body.append(body.isEmpty() ? "" : "&")
            .append(form.get(i))
            .append('=')
            .append(URLEncoder.encode(form.get(i + 1), StandardCharsets.UTF_8));
      }
      return send("POST", path, body.toString(), fields);
    }

    /// Sends a form with a file.
    String upload(String path, List<String> form, String name, byte[] file) throws IOException {
      StringBuilder body = new StringBuilder();
      for (int i = 0; i < form.size(); i += 2) {
        body.append("--parts\r\nContent-Disposition: form-data; name=\"")
            .append(form.get(i))
            .append("\"\r\n\r\n")
            .append(form.get(i + 1))
            .append("\r\n");
      }
      body.append("--parts\r\nContent-Disposition: form-data; name=\"")
          .append(name)
          .append("\"; filename=\"x.jar\"\r\n\r\n")
          .append(new String(file, StandardCharsets.ISO_8859_1))
          .append("\r\n--parts--\r\n");
      return send(
          "POST",
          path,
          body.toString(),
          "Content-Type: multipart/form-data; boundary=parts",
          "Sec-Fetch-Site: same-origin");
    }

    private String send(String method, String path, String body, String... fields)
        throws IOException {
      StringBuilder request = new StringBuilder();
      request.append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
      boolean named = false;
      for (String field : fields) {
        request.append(field).append("\r\n");
        named |= field.startsWith("Host:");
      }
      request.append(named ? "" : "Host: localhost\r\n");
      if (!cookies.isEmpty()) {
        request.append("Cookie: ");
        StringBuilder all = new StringBuilder();
        cookies.forEach((name, value) ->
            all.append(all.isEmpty() ? "" : "; ").append(name).append('=').append(value));
        request.append(all).append("\r\n");
      }
      if (method.equals("POST")) {
        if (request.indexOf("\r\nContent-Type:") < 0) {
          request.append("Content-Type: application/x-www-form-urlencoded\r\n");
        }
        request.append("Content-Length: ").append(body.length()).append("\r\n");
      }
      String response = exchange(request + "Connection: close\r\n\r\n" + body);
      Matcher set = COOKIE.matcher(response);
      while (set.find()) {
        if (set.group(2).isEmpty()) {
          cookies.remove(set.group(1));
        } else {
          cookies.put(set.group(1), set.group(2));
        }
      }
      return response;
    }

    /// Opens a link as the page of links does.
    String useLink(String link) throws IOException {
      String page = get("/admin/link");
      return post(
          "/admin/link",
          List.of("token", token(page), "code", link.substring(link.indexOf('#') + 1)));
    }

    /// Signs in with name and password.
    String signIn(String name, String password) throws IOException {
      String page = get("/admin/sign-in");
      return post(
          "/admin/sign-in", List.of("token", token(page), "name", name, "password", password));
    }

    /// Sends the form of an operation.
    String run(String operation, String... input) throws IOException {
      String page = get("/admin/");
      List<String> form = new ArrayList<>(List.of("token", token(page)));
      form.addAll(List.of(input));
      return post("/admin/do/" + operation, form);
    }
  }

  @Override
  public void close() {
    net.stop(Duration.ofSeconds(1));
    workers.shutdownNow();
    if (own) {
      server.close();
    }
  }
}
