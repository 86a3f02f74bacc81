package im.zonda.testkit.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import im.zonda.plugins.httpaccounts.HttpAccounts;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The plugin http-accounts-example in a server, with a service that knows one account.
class HttpAccountsTest {
  private static final String SECRET = "a secret of the test";

  private HttpServer service;

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/login", HttpAccountsTest::answer);
    service.start();
  }

  @AfterEach
  void stopService() {
    service.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    boolean known = question.contains("\"user\":\"carol\",\"domain\":\"example.org\"");
    boolean right = question.contains(",\"password\":\"open \\u0022sesame\\u0022\"}");
    String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    int status = 401;
    if (shown.equals("Bearer " + SECRET)) {
      status = !known ? 404 : right || !question.contains("password") ? 200 : 403;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  @Test
  void theServiceSaysWhoMayLogIn() throws IOException {
    String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/login";
    try (PluginServer server =
        PluginServer.start(
            HttpAccounts.class,
            Map.of("url", url, "secret", SECRET),
            plan ->
                plan.with("accounts.chain", List.of("plugin:http-accounts-example", "internal")))) {
      assertThat(login(server, "carol@example.org", "open \"sesame\"")).isEqualTo("success");
      assertThat(login(server, "carol@example.org", "another")).isEqualTo("failure");
      // Who is not there is looked for in the next place of the chain.
      ScriptedClient alice = server.connect("alice@example.org/desk");
      assertThat(alice.jid()).isEqualTo("alice@example.org/desk");
    }
  }

  private static String login(PluginServer server, String address, String password) {
    Login login = Login.of(address, password).withMechanism("PLAIN");
    ScriptedClient client = server.server().connected(login.security(), login.domain());
    try (client) {
      client.open(login.domain()).startTls(login.domain());
      return client.authenticate(login).localName();
    }
  }
}
