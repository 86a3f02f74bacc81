package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.jid.Jid;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.link.ServerStreamLink;
import im.zonda.stanza.Namespaces;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Users of two servers, over sockets and with all threads.
@Timeout(120)
class FederationTest {
  private static final String STANZAS = "jabber:client";

  @TempDir private static Path folder = Path.of("");

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(folder);
  }

  private TwoServers start(Mode mode) throws IOException {
    return TwoServers.start(mode, folder, UnaryOperator.identity());
  }

  /// Servers that return at once what they cannot deliver at the first attempt.
  private TwoServers impatient(Mode mode) throws IOException {
    return TwoServers.start(
        mode, folder, config -> RecordCopy.with(config, "s2s.giveUp", Duration.ZERO));
  }

  private static void chat(ScriptedClient from, String to, String body) {
    from.send(
        "<message type='chat' id='%s' to='%s'><body>%s</body></message>".formatted(body, to, body));
  }

  private static void available(ScriptedClient client) {
    client.send("<presence/>");
    client.receiveFirst(
        each -> each.is(STANZAS, "presence") && client.jid().equals(each.attribute("from")));
  }

  private static void requestRoster(ScriptedClient client) {
    client.send("<iq type='get' id='roster'><query xmlns='jabber:iq:roster'/></iq>");
    client.receiveFirst(each -> "roster".equals(each.attribute("id")));
  }

  private static XmlElement presence(ScriptedClient client, String from) {
    return client.receiveFirst(
        each -> each.is(STANZAS, "presence") && from.equals(each.attribute("from")));
  }

  private static XmlElement message(ScriptedClient client) {
    return client.receiveFirst(each -> each.is(STANZAS, "message"));
  }

  private static String errorOf(ScriptedClient client, String id) {
    XmlElement answer = client.receiveFirst(each -> id.equals(each.attribute("id")));
    assertThat(answer.attribute("type")).isEqualTo("error");
    return answer.condition();
  }

  @ParameterizedTest
  @EnumSource
  void messagesGoBothWaysOverOneStream(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      available(romeo);
      available(juliet);
      chat(romeo, "juliet@b.example", "to-you");
      XmlElement received = message(juliet);
      assertThat(received.attribute("from")).isEqualTo("romeo@a.example/orchard");
      assertThat(Objects.requireNonNull(received.child(STANZAS, "body")).text())
          .isEqualTo("to-you");
      chat(juliet, "romeo@a.example/orchard", "to-me");
      XmlElement answer = message(romeo);
      assertThat(answer.attribute("from")).isEqualTo("juliet@b.example/balcony");
      assertThat(answer.childText("body")).isEqualTo("to-me");

      Eventually.await(
          "both ways were measured",
          () ->
              List.of(servers.a(), servers.b()).stream()
                  .allMatch(each ->
                      each.written(Namespaces.SERVER).count() == 1
                          && each.written(Namespaces.CLIENT).count() == 1));

      RemoteLinkStatus link = servers.link("b.example");
      ServerStreamLink.Status stream = Objects.requireNonNull(link.stream());
      assertThat(stream.secure()).isTrue();
      assertThat(stream.trust()).isEqualTo(mode.trust());
      assertThat(stream.managed()).isTrue();
      assertThat(stream.bidirectional()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyMessagesKeepTheirOrder(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      available(juliet);
      for (int i = 0; i < 500; i++) {
        chat(romeo, "juliet@b.example/balcony", "n" + i);
      }
      for (int i = 0; i < 500; i++) {
        assertThat(message(juliet).childText("body")).isEqualTo("n" + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsAreAnswered(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      ScriptedClient romeo = servers.romeo();
      romeo.send("<iq type='get' id='p' to='b.example'><ping xmlns='urn:xmpp:ping'/></iq>");
      XmlElement pong = romeo.receive();
      assertThat(pong.attribute("type")).isEqualTo("result");
      assertThat(pong.attribute("from")).isEqualTo("b.example");
    }
  }

  @ParameterizedTest
  @EnumSource
  void usersSubscribeToEachOther(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      requestRoster(romeo);
      requestRoster(juliet);
      available(romeo);
      available(juliet);
      romeo.send("<presence type='subscribe' to='juliet@b.example'/>");
      assertThat(presence(juliet, "romeo@a.example").attribute("type")).isEqualTo("subscribe");
      juliet.send("<presence type='subscribed' to='romeo@a.example'/>");
      assertThat(presence(romeo, "juliet@b.example").attribute("type")).isEqualTo("subscribed");
      assertThat(presence(romeo, "juliet@b.example/balcony").attribute("type")).isNull();
      juliet.send("<presence><show>away</show></presence>");
      assertThat(presence(romeo, "juliet@b.example/balcony").childText("show")).isEqualTo("away");

      ScriptedClient again = servers.a().connect("romeo@a.example/library");
      again.send("<presence/>");
      assertThat(presence(again, "juliet@b.example/balcony").childText("show"))
          .as("the answer to a probe")
          .isEqualTo("away");
      juliet.disconnect();
      assertThat(presence(again, "juliet@b.example/balcony").attribute("type"))
          .isEqualTo("unavailable");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMessageWaitsAtTheOtherServer(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      servers.b().accounts(List.of("juliet@b.example"));
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "juliet@b.example", "later");
      romeo.send("<iq type='get' id='p' to='b.example'><ping xmlns='urn:xmpp:ping'/></iq>");
      romeo.receiveFirst(each -> "p".equals(each.attribute("id")));
      ScriptedClient juliet = servers.juliet();
      juliet.send("<presence/>");
      XmlElement received = message(juliet);
      assertThat(received.childText("body")).isEqualTo("later");
      assertThat(received.child("urn:xmpp:delay", "delay")).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void roomsHaveOccupantsOfBothServers(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      String join =
          "<presence to='coven@rooms.b.example/%s'>"
              + "<x xmlns='http://jabber.org/protocol/muc'/></presence>";
      juliet.send(join.formatted("juliet"));
      presence(juliet, "coven@rooms.b.example/juliet");
      juliet.send(
          "<iq type='set' id='unlock' to='coven@rooms.b.example'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      juliet.receiveFirst(each -> "unlock".equals(each.attribute("id")));
      romeo.send(join.formatted("romeo"));
      presence(romeo, "coven@rooms.b.example/juliet");
      presence(juliet, "coven@rooms.b.example/romeo");
      romeo.send(
          "<message type='groupchat' id='g' to='coven@rooms.b.example'><body>hail</body></message>");
      for (ScriptedClient each : List.of(romeo, juliet)) {
        XmlElement message =
            each.receiveFirst(one -> one.is(STANZAS, "message") && one.child("body") != null);
        assertThat(message.attribute("from")).isEqualTo("coven@rooms.b.example/romeo");
        assertThat(message.childText("body")).isEqualTo("hail");
      }
      romeo.disconnect();
      assertThat(presence(juliet, "coven@rooms.b.example/romeo").attribute("type"))
          .isEqualTo("unavailable");
    }
  }

  @Test
  void anUnknownDomainIsNotFoundAtOnce() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "nurse@nowhere.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("remote-server-not-found");
      romeo.send("<iq type='get' id='i' to='nowhere.example'><ping xmlns='urn:xmpp:ping'/></iq>");
      assertThat(errorOf(romeo, "i")).isEqualTo("remote-server-not-found");
      chat(romeo, "nobody@b.example", "u");
      assertThat(errorOf(romeo, "u")).isEqualTo("service-unavailable");
    }
  }

  @Test
  void aDomainThatTheOtherServerDoesNotServeIsNotFound() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      servers.addresses().serve("c.example", servers.b().serverAddress(false), false);
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "nurse@c.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("remote-server-not-found");
    }
  }

  @Test
  void aServerWithTheCertificateOfAnotherDomainGetsNothing() throws IOException {
    try (TwoServers servers = impatient(Mode.DIRECT_TLS)) {
      servers.addresses().serve("c.example", servers.b().serverAddress(true), true);
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "nurse@c.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("remote-server-timeout");
      assertThat(failure(servers, "c.example")).isEqualTo(Reason.NOT_TRUSTED);
    }
  }

  /// The server of `domain` does not know the authority of the other one's certificate.
  @ParameterizedTest
  @CsvSource({
    "DIRECT_TLS, a.example, NOT_TRUSTED",
    "STARTTLS, a.example, NOT_TRUSTED",
    "DIRECT_TLS, b.example, NOT_ACCEPTED",
    "STARTTLS, b.example, NOT_ACCEPTED"
  })
  void nothingIsSentUnlessEachServerTrustsTheOther(Mode mode, String domain, Reason reason)
      throws IOException {
    try (TwoServers servers = impatientAndTrustingOnlyItself(mode, domain)) {
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "juliet@b.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("remote-server-timeout");
      assertThat(failure(servers, "b.example")).isEqualTo(reason);
    }
  }

  private TwoServers impatientAndTrustingOnlyItself(Mode mode, String domain) throws IOException {
    UnaryOperator<ServerConfig> change =
        config ->
            config.hosts().contains(domain)
                ? RecordCopy.with(config, "s2s.ca", folder.resolve(domain + ".crt"))
                : config;
    return TwoServers.start(
        mode, folder, config -> RecordCopy.with(change.apply(config), "s2s.giveUp", Duration.ZERO));
  }

  private static Reason failure(TwoServers servers, String domain) {
    return Objects.requireNonNull(servers.link(domain).lastFailure()).reason();
  }

  @Test
  void aDomainThatCannotBeReachedIsATimeout() throws IOException {
    try (TwoServers servers = impatient(Mode.STARTTLS)) {
      InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
      servers.addresses().serve("c.example", nobody, false);
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "nurse@c.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("remote-server-timeout");
    }
  }

  @Test
  void aDeniedDomainIsNotAllowed() throws IOException {
    UnaryOperator<ServerConfig> deny =
        config -> RecordCopy.with(config, "s2s.deny", List.of("b.example"));
    try (TwoServers servers = TwoServers.start(Mode.STARTTLS, folder, deny)) {
      ScriptedClient romeo = servers.romeo();
      chat(romeo, "juliet@b.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("not-allowed");
    }
  }

  @Test
  void aDomainCanBeDeniedWhileTheServerRuns() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      available(juliet);
      chat(romeo, "juliet@b.example", "before");
      assertThat(message(juliet).childText("body")).isEqualTo("before");
      servers.a().reload(config -> RecordCopy.with(config, "s2s.deny", List.of("b.example")));
      chat(romeo, "juliet@b.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("not-allowed");
      servers.a().reload(config -> RecordCopy.with(config, "s2s.deny", List.of()));
      chat(romeo, "juliet@b.example", "after");
      assertThat(message(juliet).childText("body")).isEqualTo("after");
    }
  }

  @Test
  void messagesOfStrangersAreHeldUntilTheyAreAccepted() throws IOException {
    try (TwoServers servers =
        TwoServers.start(
            Mode.STARTTLS, folder, config -> RecordCopy.with(config, "s2s.enabled", true))) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      available(juliet);
      servers.b().reload(config -> RecordCopy.with(config, "s2s.strangers", Strangers.HOLD));
      chat(romeo, "juliet@b.example", "one");
      chat(romeo, "juliet@b.example", "two");
      romeo.fence("sent", "juliet@b.example");
      assertThat(servers.b().stores().keyValues("held").all(Jid.of("juliet@b.example"))).hasSize(2);
      servers.b().reload(config -> RecordCopy.with(config, "s2s.strangers", Strangers.ACCEPT));
      assertThat(message(juliet).childText("body")).isEqualTo("one");
      assertThat(message(juliet).childText("body")).isEqualTo("two");
    }
  }

  @Test
  void strangersCanBeRejectedWhileTheServerRuns() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      ScriptedClient romeo = servers.romeo();
      ScriptedClient juliet = servers.juliet();
      available(juliet);
      chat(romeo, "juliet@b.example", "before");
      assertThat(message(juliet).childText("body")).isEqualTo("before");
      servers.b().reload(config -> RecordCopy.with(config, "s2s.strangers", Strangers.REJECT));
      chat(romeo, "juliet@b.example", "m");
      assertThat(errorOf(romeo, "m")).isEqualTo("subscription-required");
      chat(juliet, "romeo@a.example/orchard", "hello");
      assertThat(message(romeo).childText("body")).isEqualTo("hello");
      chat(romeo, "juliet@b.example", "known");
      assertThat(message(juliet).childText("body")).isEqualTo("known");
      ScriptedClient nurse = servers.a().connect("nurse@a.example/kitchen");
      chat(nurse, "juliet@b.example", "n");
      assertThat(errorOf(nurse, "n")).isEqualTo("subscription-required");
      servers.b().reload(config -> RecordCopy.with(config, "s2s.strangers", Strangers.ACCEPT));
      chat(nurse, "juliet@b.example", "after");
      assertThat(message(juliet).childText("body")).isEqualTo("after");
    }
  }
}
