package im.zonda.app.resumption;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.util.Objects;

/// A client with stream management (XEP-0198), step by step: it sends no counts by itself.
record Managed(ScriptedClient client, String id) implements AutoCloseable {
  static final String SM = "urn:xmpp:sm:3";

  /// Logs in, binds, enables resumption and becomes available.
  static Managed online(TestServer server, String address) {
    return enable(server.connect(address)).available();
  }

  static Managed enable(ScriptedClient client) {
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    XmlElement enabled = client.receiveFirst(e -> e.namespace().equals(SM));
    assertThat(enabled.localName()).isEqualTo("enabled");
    assertThat(enabled.attribute("resume")).isEqualTo("true");
    return new Managed(client, Objects.requireNonNull(enabled.attribute("id")));
  }

  /// A client that has authenticated and asked to resume a session, and the answer of the server.
  record Attempt(ScriptedClient client, XmlElement answer) {}

  static Attempt resume(TestServer server, Login login, String id, long h) {
    ScriptedClient client = server.connected(login.security(), login.domain()).negotiate(login);
    client.send("<resume xmlns='" + SM + "' previd='" + id + "' h='" + h + "'/>");
    return new Attempt(client, client.receive());
  }

  Managed available() {
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    return this;
  }

  /// Acknowledges that many stanzas.
  Managed acknowledge(long h) {
    client.send("<a xmlns='" + SM + "' h='" + h + "'/>");
    return this;
  }

  /// Asks the server for its count and waits for the answer.
  long handled() {
    client.send("<r xmlns='" + SM + "'/>");
    return nextCount();
  }

  /// Waits for the server's count.
  long nextCount() {
    XmlElement answer = client.receiveFirst(e -> e.is(SM, "a"));
    return Long.parseLong(Objects.requireNonNull(answer.attribute("h")));
  }

  /// The body of the next message.
  String nextBody() {
    return client.receiveFirst(e -> e.localName().equals("message")).childText("body");
  }

  @Override
  public void close() {
    client.close();
  }
}
