package im.zonda.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.TrustAll;
import im.zonda.testkit.database.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The console at an address of its own (`admin.listen-tls`) of the packaged server, for browsers
/// of other machines.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ConsoleTlsIT {
  private static final String PASSWORD = "the rose garden";
  private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([0-9a-f]+)\"");
  private static final Pattern COOKIE = Pattern.compile("Set-Cookie: ([^=]+)=([^;\r]*)([^\r]*)\r");

  private final Map<String, String> cookies = new TreeMap<>();
  private ProductServer server;
  private int own;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    own = FreePorts.next();
    server =
        ProductServer.start(
            Files.createDirectory(folder.resolve("server")),
            "alice@localhost," + PASSWORD + "\n",
            """
            services.administration.admins = ["alice@localhost"]
            admin.listen-tls = ["127.0.0.1:%d"]
            """
                .formatted(own));
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  /// Sends a request over TLS, with the cookies so far, and returns the answer.
  private String send(String method, String path, String body, String fields) throws IOException {
    StringBuilder cookie = new StringBuilder();
    cookies.forEach((name, value) ->
        cookie.append(cookie.isEmpty() ? "Cookie: " : "; ").append(name).append('=').append(value));
    String request =
        method
            + " "
            + path
            + " HTTP/1.1\r\n"
            + (fields.contains("Host:") ? "" : "Host: localhost:" + own + "\r\n")
            + fields
            + (cookie.isEmpty() ? "" : cookie + "\r\n")
            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
            + body.length()
            + "\r\nConnection: close\r\n\r\n"
            + body;
    try (Socket socket =
        TrustAll.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), own)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// Keeps the cookies of an answer, each of which must be as strict as there is.
  private String keep(String answer) {
    Matcher set = COOKIE.matcher(answer);
    while (set.find()) {
      assertThat(set.group(1)).startsWith("__Host-zonda-admin");
      assertThat(set.group(3))
          .contains("; Path=/;", "; HttpOnly", "; SameSite=Strict", "; Secure")
          .doesNotContain("Domain");
      cookies.put(set.group(1), set.group(2));
    }
    return answer;
  }

  private String signIn(String fields) throws IOException {
    Matcher token = TOKEN.matcher(keep(send("GET", "/admin/sign-in", "", "")));
    assertThat(token.find()).isTrue();
    String form =
        "token="
            + token.group(1)
            + "&name="
            + URLEncoder.encode("alice@localhost", StandardCharsets.UTF_8)
            + "&password="
            + URLEncoder.encode(PASSWORD, StandardCharsets.UTF_8);
    return keep(send("POST", "/admin/sign-in", form, fields));
  }

  @Test
  void cookiesAreForThisHostOverTlsOnly() throws Exception {
    assertThat(signIn("Sec-Fetch-Site: cross-site\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(signIn("Origin: http://localhost:" + own + "\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(cookies).doesNotContainKey("__Host-zonda-admin");
    assertThat(signIn("Origin: https://localhost:" + own + "\r\nSec-Fetch-Site: same-origin\r\n"))
        .startsWith("HTTP/1.1 303 ");
    assertThat(cookies).containsKey("__Host-zonda-admin");
    assertThat(send("GET", "/admin/people", "", "")).contains("200 OK", "alice@localhost");
    String session = cookies.remove("__Host-zonda-admin");
    assertThat(send("GET", "/admin/people", "", "")).startsWith("HTTP/1.1 303 ");
    // Without the prefix it could have been set by anyone on the way, or by another host.
    assertThat(send("GET", "/admin/people", "", "Cookie: zonda-admin=" + session + "\r\n"))
        .startsWith("HTTP/1.1 303 ");
    assertThat(
            send(
                "GET",
                "/admin/people",
                "",
                "Cookie: __Host-zonda-admin=x; __Host-zonda-admin=" + session + "\r\n"))
        .startsWith("HTTP/1.1 303 ");
  }

  /// There is the console and nothing else.
  @Test
  void nothingElseIsThere() throws Exception {
    for (String path :
        new String[] {"/", "/account", "/xmpp-websocket", "/metrics", "/api/v1/status"}) {
      assertThat(send("GET", path, "", "")).as(path).startsWith("HTTP/1.1 404 ");
    }
    assertThat(send("GET", "/admin/sign-in", "", "Host: evil.example\r\n"))
        .doesNotContain("Sign in to the console");
    assertThat(send("GET", "/admin/sign-in", "", "")).contains("200 OK", "Sign in to the console");
  }
}
