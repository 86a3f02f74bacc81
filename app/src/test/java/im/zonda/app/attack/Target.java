package im.zonda.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A server under attack, and what the attacks have in common.
final class Target implements AutoCloseable {
  /// A client's stream header.
  static final String HEADER =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
          + " version='1.0' to='example.org'>";

  private final TestServer server;
  private final AtomicInteger names = new AtomicInteger();

  Target(ServerPlan plan) throws IOException {
    server = plan.startOnSockets();
  }

  /// A server with all modules and nothing configured.
  static Target usual() throws IOException {
    return new Target(plan());
  }

  static ServerPlan plan() {
    return ServerPlan.of(StandardModules::create);
  }

  TestServer server() {
    return server;
  }

  /// A connection that has sent nothing.
  ScriptedClient silent() {
    return server.connected(Login.Security.NONE, "example.org");
  }

  /// A connection within TLS that has opened a stream and not authenticated.
  ScriptedClient stranger() {
    return server.connected(Login.Security.DIRECT_TLS, "example.org").open("example.org");
  }

  /// A client that is bound as someone new.
  ScriptedClient someone() {
    return named("user" + names.incrementAndGet() + "@example.org/r");
  }

  /// A client that is bound to that address.
  ScriptedClient named(String jid) {
    server.accounts(List.of(jid));
    return server.login(Login.of(jid, TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS));
  }

  /// A client that is bound, available and has read its own presence.
  ScriptedClient available(String jid) {
    ScriptedClient client = named(jid);
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    return client;
  }

  /// The first bytes of a connection are answered with one of these stream errors and its end.
  void refusesFirst(byte[] bytes, String... conditions) {
    ScriptedClient client = silent().listen();
    client.offer(bytes);
    ends(client, conditions);
    serves();
  }

  void refusesFirst(String xml, String... conditions) {
    refusesFirst(utf8(xml), conditions);
  }

  /// Bytes of an authenticated client are answered with one of these stream errors and its end, and
  /// so are the same bytes before authentication, unless those are already refused as such.
  void refuses(byte[] bytes, String... conditions) {
    ScriptedClient bound = someone();
    bound.offer(bytes);
    ends(bound, conditions);
    ScriptedClient stranger = stranger();
    stranger.offer(bytes);
    String condition = stranger.awaitStreamError();
    assertThat(List.of(conditions).contains(condition) || condition.equals("not-authorized"))
        .as("before authentication: %s", condition)
        .isTrue();
    stranger.awaitEnd();
    stranger.close();
    serves();
  }

  void refuses(String xml, String... conditions) {
    refuses(utf8(xml), conditions);
  }

  void ends(ScriptedClient client, String... conditions) {
    assertThat(client.awaitStreamError()).isIn((Object[]) conditions);
    client.awaitEnd();
    client.close();
  }

  /// Two ordinary clients can talk.
  void serves() {
    try (ScriptedClient one = someone();
        ScriptedClient two = someone()) {
      // A client that has sent nothing may still become available, and gets messages after that.
      two.fence("listening");
      one.send(
          "<message to='" + two.jid() + "' type='chat' id='m'><body>still here</body></message>");
      XmlElement message = two.receive();
      assertThat(message.childText("body")).isEqualTo("still here");
      assertThat(message.attribute("from")).isEqualTo(one.jid());
    }
  }

  @Override
  public void close() {
    server.close();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Text with the bytes of `hole` in place of `~`.
  static byte[] withBytes(String text, int... hole) {
    int at = text.indexOf('~');
    byte[] before = utf8(text.substring(0, at));
    byte[] after = utf8(text.substring(at + 1));
    byte[] all = new byte[before.length + hole.length + after.length];
    System.arraycopy(before, 0, all, 0, before.length);
    for (int i = 0; i < hole.length; i++) {
      all[before.length + i] = (byte) hole[i];
    }
    System.arraycopy(after, 0, all, before.length + hole.length, after.length);
    return all;
  }
}
