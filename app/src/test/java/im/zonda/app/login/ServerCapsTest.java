package im.zonda.app.login;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The server's capabilities in its stream features (XEP-0115, section 6.3), checked as a client
/// would: with an implementation of section 5.1 that is the test's own.
@Timeout(60)
class ServerCapsTest {
  private static final String CAPS = "http://jabber.org/protocol/caps";
  private static final String INFO = "http://jabber.org/protocol/disco#info";
  private static final String FORMS = "jabber:x:data";
  private static final Login JULIET =
      Login.of("juliet@example.org", TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .with("contact", List.of("xmpp:admin@example.org", "mailto:admin@example.org"))
            .startOnSockets();
    server.accounts(List.of("juliet@example.org"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ScriptedClient opened() {
    return server.connected(Login.Security.DIRECT_TLS, "example.org").open("example.org");
  }

  @Test
  void theyAreWhatTheServerAnswersForTheirNodeInEachState() {
    String early;
    try (ScriptedClient client = opened()) {
      assertThat(client.features().child(CAPS, "c")).isNull();
      client.authenticate(JULIET);
      client.open("example.org");
      early = check(client, true);
    }
    try (ScriptedClient client = opened()) {
      client.authenticate2(JULIET, "<bind xmlns='urn:xmpp:bind:0'/>");
      assertThat(check(client, false)).isEqualTo(early);
    }
  }

  private static String check(ScriptedClient client, boolean bind) {
    XmlElement caps = Objects.requireNonNull(client.features().child(CAPS, "c"));
    String server = Objects.requireNonNull(client.header().attribute("from"));
    if (bind) {
      client.bind(null);
    }
    String ver = Objects.requireNonNull(caps.attribute("ver"));
    String node = caps.attribute("node") + "#" + ver;
    XmlElement info = info(client, server, " node='" + node + "'");

    assertThat(caps.attribute("hash")).isEqualTo("sha-1");
    assertThat(info.attribute("node")).isEqualTo(node);
    assertThat(verification(info)).isEqualTo(ver);
    assertThat(info.children()).isEqualTo(info(client, server, "").children());
    assertThat(children(info, INFO, "feature"))
        .extracting(feature -> feature.attribute("var"))
        .contains(CAPS)
        .doesNotHaveDuplicates();
    assertThat(children(info, FORMS, "x")).hasSize(1);
    return ver;
  }

  private static XmlElement info(ScriptedClient client, String server, String node) {
    client.send(
        "<iq type='get' id='i' to='" + server + "'><query xmlns='" + INFO + "'" + node + "/></iq>");
    XmlElement answer = client.receiveFirst(e -> e.localName().equals("iq"));
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("result");
    return Objects.requireNonNull(answer.child(INFO, "query"));
  }

  private static List<XmlElement> children(XmlElement parent, String namespace, String name) {
    return parent.children().stream().filter(child -> child.is(namespace, name)).toList();
  }

  private static String verification(XmlElement info) {
    StringBuilder text = new StringBuilder();
    TreeSet<String> identities = new TreeSet<>();
    for (XmlElement identity : children(info, INFO, "identity")) {
      assertThat(identity.attribute("lang")).isNull();
      identities.add(
          identity.attribute("category")
              + "/"
              + identity.attribute("type")
              + "//"
              + identity.attribute("name"));
    }
    identities.forEach(each -> text.append(each).append('<'));
    TreeSet<String> features = new TreeSet<>();
    children(info, INFO, "feature").forEach(each -> features.add(each.attribute("var")));
    features.forEach(each -> text.append(each).append('<'));
    for (XmlElement form : children(info, FORMS, "x")) {
      TreeMap<String, TreeSet<String>> fields = new TreeMap<>();
      for (XmlElement field : children(form, FORMS, "field")) {
        TreeSet<String> values = new TreeSet<>();
        children(field, FORMS, "value").forEach(value -> values.add(value.text()));
        fields.put(Objects.requireNonNull(field.attribute("var")), values);
      }
      text.append(Objects.requireNonNull(fields.remove("FORM_TYPE")).first()).append('<');
      fields.forEach((name, values) -> {
        text.append(name).append('<');
        values.forEach(each -> text.append(each).append('<'));
      });
    }
    try {
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
