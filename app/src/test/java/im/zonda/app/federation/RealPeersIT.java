package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import im.zonda.app.StandardModules;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.home.remote.RemoteLinkStatus;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.TestAuthority;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Users of this server and of servers of other projects, where their Debian packages are
/// installed.
@Timeout(60)
class RealPeersIT {
  private static final String STANZAS = "jabber:client";

  /// Has a certificate of the authority that all but `DISTRUSTFUL` trust.
  private static final String CERTIFIED = "certified.example";

  /// Has a certificate that no one has signed.
  private static final String SELF_SIGNED = "self-signed.example";

  /// Trusts only its own certificate, and returns messages at the first failure.
  private static final String DISTRUSTFUL = "distrustful.example";

  @TempDir private static Path folder = Path.of("");

  private static final FakeAddresses ADDRESSES = new FakeAddresses();
  private static final Map<String, TestServer> SERVERS = new HashMap<>();
  private static final Map<RealPeer.Kind, RealPeer> PEERS = new EnumMap<>(RealPeer.Kind.class);

  @BeforeAll
  static void startServers() throws Exception {
    List<RealPeer.Kind> installed =
        List.of(RealPeer.Kind.values()).stream().filter(RealPeer.Kind::isInstalled).toList();
    if (installed.isEmpty()) {
      return; // each test says which package is missing
    }
    TestAuthority.create(folder);
    TestAuthority.issue(folder, "zonda", List.of(CERTIFIED, "rooms." + CERTIFIED, DISTRUSTFUL));
    Path authority = folder.resolve("authority.crt");
    start(CERTIFIED, config -> certified(config, authority));
    start(
        SELF_SIGNED,
        config ->
            RecordCopy.with(
                RecordCopy.with(config, "s2s.ca", authority),
                "s2s.trust",
                S2s.Trust.CERTIFICATE_OR_DIALBACK));
    start(
        DISTRUSTFUL,
        config ->
            RecordCopy.with(
                certified(config, folder.resolve("zonda.crt")), "s2s.giveUp", Duration.ZERO));
    Map<String, Integer> routes = new HashMap<>();
    SERVERS.forEach((domain, server) -> {
      int port = server.serverAddress(false).getPort();
      routes.put(domain, port);
      routes.put("rooms." + domain, port);
    });
    for (RealPeer.Kind kind : installed) {
      String domain = kind.domain();
      TestAuthority.issueWithRsaKey(folder, domain, List.of(domain, "rooms." + domain));
      Path data = Files.createDirectory(folder.resolve(kind.packageName()));
      RealPeer peer = new RealPeer(kind, data, folder, routes);
      PEERS.put(kind, peer);
      ADDRESSES.serve(domain, peer.serverAddress(), false);
      ADDRESSES.serve("rooms." + domain, peer.serverAddress(), false);
    }
    for (RealPeer peer : PEERS.values()) {
      peer.awaitStart().register("juliet");
      peer.register("nurse");
    }
  }

  private static ServerConfig certified(ServerConfig config, Path authority) {
    ServerConfig.Tls own =
        new ServerConfig.Tls(folder.resolve("zonda.crt"), folder.resolve("zonda.key"));
    return RecordCopy.with(RecordCopy.with(config, "tls", own), "s2s.ca", authority);
  }

  private static void start(String domain, UnaryOperator<ServerConfig> settings)
      throws IOException {
    SERVERS.put(
        domain,
        ServerPlan.of(StandardModules::create)
            .withHosts(domain)
            .withSecret("the secret of " + domain)
            .withConfig(settings)
            .withFederation(ADDRESSES)
            .startOnSockets());
  }

  @AfterAll
  static void endServers() {
    PEERS.values().forEach(RealPeer::close);
    SERVERS.values().forEach(TestServer::close);
  }

  private static RealPeer peer(RealPeer.Kind kind) {
    assumeTrue(
        kind.isInstalled(), "the Debian package " + kind.packageName() + " is not installed");
    return Objects.requireNonNull(PEERS.get(kind));
  }

  private static TestServer server(String domain) {
    return Objects.requireNonNull(SERVERS.get(domain));
  }

  private static RemoteLinkStatus link(String domain, RealPeer peer) {
    return Objects.requireNonNull(server(domain).server().federation())
        .domains()
        .links(Duration.ofSeconds(10))
        .stream()
        .filter(each -> each.pair().equals(new DomainPair(domain, peer.kind().domain())))
        .findFirst()
        .orElseThrow();
  }

  private static void chat(ScriptedClient from, String to, String body) {
    from.send(
        "<message type='chat' id='%s' to='%s'><body>%s</body></message>".formatted(body, to, body));
  }

  private static void available(ScriptedClient client) {
    client.send("<presence/>");
    presence(client, client.jid());
  }

  private static XmlElement presence(ScriptedClient client, String from) {
    return client.receiveFirst(
        each -> each.is(STANZAS, "presence") && from.equals(each.attribute("from")));
  }

  private static void presence(ScriptedClient client, String from, String type) {
    client.receiveFirst(each ->
        each.is(STANZAS, "presence")
            && from.equals(each.attribute("from"))
            && type.equals(each.attribute("type")));
  }

  private static XmlElement message(ScriptedClient client, String body) {
    return client.receiveFirst(
        each -> each.is(STANZAS, "message") && body.equals(each.childText("body")));
  }

  private static XmlElement request(ScriptedClient client, String type, String to, String query) {
    String id = "q" + query.hashCode();
    client.send("<iq type='%s' id='%s' to='%s'>%s</iq>".formatted(type, id, to, query));
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  private static void exchangeMessages(String domain, RealPeer peer) throws IOException {
    try (ScriptedClient romeo = server(domain).connect("romeo@" + domain + "/here");
        ScriptedClient juliet = peer.login("juliet")) {
      available(romeo);
      available(juliet);
      chat(juliet, romeo.jid(), "first");
      assertThat(message(romeo, "first").attribute("from")).isEqualTo(juliet.jid());
      for (int i = 0; i < 100; i++) {
        chat(romeo, juliet.jid(), "to" + i);
        chat(juliet, romeo.jid(), "from" + i);
      }
      for (int i = 0; i < 100; i++) {
        assertThat(next(juliet).childText("body")).isEqualTo("to" + i);
        assertThat(next(romeo).childText("body")).isEqualTo("from" + i);
      }
    }
  }

  private static XmlElement next(ScriptedClient client) {
    return client.receiveFirst(each -> each.is(STANZAS, "message"));
  }

  @ParameterizedTest
  @EnumSource
  void certificatesProveDomains(RealPeer.Kind kind) throws IOException {
    RealPeer peer = peer(kind);
    exchangeMessages(CERTIFIED, peer);
    var stream = Objects.requireNonNull(link(CERTIFIED, peer).stream());
    assertThat(stream.secure()).isTrue();
    assertThat(stream.trust()).isEqualTo("certificate");
    assertThat(stream.bidirectional()).isEqualTo(kind == RealPeer.Kind.PROSODY);
    assertThat(stream.managed()).isEqualTo(kind == RealPeer.Kind.PROSODY);
  }

  /// The other server proves its domain by its certificate, this one by dialback.
  @ParameterizedTest
  @EnumSource
  void dialbackProvesOurDomain(RealPeer.Kind kind) throws IOException {
    exchangeMessages(SELF_SIGNED, peer(kind));
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsNotTrustedExchangesNothing(RealPeer.Kind kind) throws IOException {
    RealPeer peer = peer(kind);
    try (ScriptedClient romeo = server(DISTRUSTFUL).connect("romeo@" + DISTRUSTFUL + "/here");
        ScriptedClient juliet = peer.login("juliet")) {
      chat(romeo, "juliet@" + kind.domain(), "out");
      assertThat(next(romeo).condition()).isEqualTo("remote-server-timeout");
      assertThat(Objects.requireNonNull(link(DISTRUSTFUL, peer).lastFailure()).reason())
          .isEqualTo(Reason.NOT_TRUSTED);
      chat(juliet, romeo.jid(), "in");
      assertThat(next(juliet).attribute("type")).isEqualTo("error");
    }
  }

  @ParameterizedTest
  @EnumSource
  void usersSubscribeToEachOther(RealPeer.Kind kind) throws IOException {
    RealPeer peer = peer(kind);
    String there = "nurse@" + kind.domain();
    String here = "peter@" + CERTIFIED;
    try (ScriptedClient peter = server(CERTIFIED).connect(here + "/here");
        ScriptedClient nurse = peer.login("nurse")) {
      request(peter, "get", here, "<query xmlns='jabber:iq:roster'/>");
      request(nurse, "get", there, "<query xmlns='jabber:iq:roster'/>");
      available(peter);
      available(nurse);
      subscribe(peter, here, nurse, there);
      subscribe(nurse, there, peter, here);
      peter.send("<presence><show>away</show></presence>");
      nurse.receiveFirst(each ->
          peter.jid().equals(each.attribute("from")) && "away".equals(each.childText("show")));
      ScriptedClient again = server(CERTIFIED).connect(here + "/again");
      available(again);
      assertThat(presence(again, nurse.jid()).attribute("type")).as("answer to a probe").isNull();
      again.disconnect();
      presence(nurse, here + "/again", "unavailable");
      nurse.disconnect();
      presence(peter, there + "/there", "unavailable");
    }
  }

  private static void subscribe(
      ScriptedClient subscriber, String from, ScriptedClient contact, String to) {
    subscriber.send("<presence type='subscribe' to='" + to + "'/>");
    presence(contact, from, "subscribe");
    contact.send("<presence type='subscribed' to='" + from + "'/>");
    presence(subscriber, to, "subscribed");
  }

  @ParameterizedTest
  @EnumSource
  void aRoomHereHasOccupantsOfBothServers(RealPeer.Kind kind) throws IOException {
    try (ScriptedClient juliet = peer(kind).login("juliet");
        ScriptedClient romeo = server(CERTIFIED).connect("romeo@" + CERTIFIED + "/room")) {
      meet(kind.packageName() + "@rooms." + CERTIFIED, romeo, juliet);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRoomThereHasOccupantsOfBothServers(RealPeer.Kind kind) throws IOException {
    try (ScriptedClient juliet = peer(kind).login("juliet");
        ScriptedClient romeo = server(CERTIFIED).connect("romeo@" + CERTIFIED + "/room")) {
      meet("coven@rooms." + kind.domain(), juliet, romeo);
    }
  }

  /// Both enter the room and talk, the guest is kicked, enters again and disconnects.
  private static void meet(String room, ScriptedClient owner, ScriptedClient guest) {
    enter(owner, room + "/owner");
    request(
        owner,
        "set",
        room,
        "<query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query>");
    enter(guest, room + "/guest");
    presence(owner, room + "/guest");
    guest.send("<message type='groupchat' to='" + room + "'><body>hail</body></message>");
    owner.send("<message type='groupchat' to='" + room + "'><body>well met</body></message>");
    for (ScriptedClient each : List.of(owner, guest)) {
      assertThat(message(each, "hail").attribute("from")).isEqualTo(room + "/guest");
      assertThat(message(each, "well met").attribute("from")).isEqualTo(room + "/owner");
    }
    request(
        owner,
        "set",
        room,
        "<query xmlns='http://jabber.org/protocol/muc#admin'><item nick='guest' role='none'/></query>");
    assertThat(presence(guest, room + "/guest").toString()).contains("'307'");
    assertThat(presence(owner, room + "/guest").attribute("type")).isEqualTo("unavailable");
    enter(guest, room + "/guest");
    assertThat(presence(owner, room + "/guest").attribute("type")).isNull();
    guest.disconnect();
    assertThat(presence(owner, room + "/guest").attribute("type")).isEqualTo("unavailable");
  }

  private static void enter(ScriptedClient client, String occupant) {
    client.send(
        "<presence to='" + occupant + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    XmlElement entered = presence(client, occupant);
    assertThat(entered.attribute("type")).as(entered.toString()).isNull();
  }

  /// Messages that were acknowledged while the other server was killed arrive when it is back.
  @ParameterizedTest
  @EnumSource
  void messagesWaitForAServerThatWasKilled(RealPeer.Kind kind) throws Exception {
    RealPeer peer = peer(kind);
    exchangeMessages(CERTIFIED, peer);
    try (ScriptedClient romeo = server(CERTIFIED).connect("romeo@" + CERTIFIED + "/waits")) {
      romeo.send("<enable xmlns='urn:xmpp:sm:3'/>");
      romeo.receiveFirst(each -> each.is("urn:xmpp:sm:3", "enabled"));
      peer.kill();
      for (int i = 0; i < 20; i++) {
        chat(romeo, "nurse@" + kind.domain(), "wait" + i);
      }
      romeo.send("<r xmlns='urn:xmpp:sm:3'/>");
      XmlElement acknowledged = romeo.receiveFirst(each -> each.is("urn:xmpp:sm:3", "a"));
      assertThat(acknowledged.attribute("h")).isEqualTo("20");
      peer.startAgain();
      try (ScriptedClient nurse = peer.login("nurse")) {
        nurse.send("<presence/>");
        for (int i = 0; i < 20; i++) {
          XmlElement message =
              nurse.receiveFirst(each -> each.is(STANZAS, "message") && each.child("body") != null);
          assertThat(message.childText("body")).isEqualTo("wait" + i);
        }
      }
    }
  }
}
