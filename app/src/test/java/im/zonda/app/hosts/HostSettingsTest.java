package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Rooms;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.limits.HostLimits;
import im.zonda.host.VirtualHost;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Settings of one host that change while its clients are connected.
@Timeout(120)
class HostSettingsTest {
  private static final int RELOADS = 100;
  private static final int COLLECTIONS = 50;
  private static final String BLOCK_LIST = "<blocklist xmlns='urn:xmpp:blocking'/>";
  private static final String CARBONS = "<enable xmlns='urn:xmpp:carbons:2'/>";
  private static final String INFO = "<query xmlns='http://jabber.org/protocol/disco#info'/>";

  private TestServer server;
  private int requests;

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withHosts("a.example", "b.example")
            .with("modulesOff", Set.of("blocking", "muc", "carbons", "mam"))
            .startOnSockets();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // the server is started before each test
  HostSettingsTest() {}

  private void change(String path, Object value) {
    assertThat(server.reload(config -> RecordCopy.with(config, path, value))).isEmpty();
  }

  private void host(String domain, String path, Object value) {
    assertThat(
            server.reload(config -> {
              Host before = config.host().getOrDefault(domain, Host.NONE);
              return config.withHosts(Map.of(domain, with(before, path, value)));
            }))
        .isEmpty();
  }

  private static Host with(Host host, String path, Object value) {
    return new Host(
        path.equals("registration") ? (ServerConfig.Registration) value : host.registration(),
        host.archive(),
        path.equals("rooms") ? (Rooms) value : host.rooms(),
        path.equals("services") ? (Services) value : host.services(),
        path.equals("contact") ? List.of((String) value) : host.contact(),
        host.modulesOff(),
        host.tls(),
        path.equals("limits") ? (HostLimits) value : host.limits());
  }

  private XmlElement ask(ScriptedClient client, String type, String to, String payload) {
    String id = "q" + requests++;
    client.send(
        "<iq type='"
            + type
            + "' id='"
            + id
            + "'"
            + (to.isEmpty() ? "" : " to='" + to + "'")
            + ">"
            + payload
            + "</iq>");
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  @Test
  void modulesAreSwitchedOnAndOffForLoadedHomes() {
    try (ScriptedClient romeo = server.connect("romeo@a.example/orchard");
        ScriptedClient juliet = server.connect("juliet@b.example/balcony")) {
      romeo.send("<presence/>");
      juliet.send("<presence/>");
      assertThat(ask(romeo, "get", "", BLOCK_LIST).condition()).isEqualTo("service-unavailable");

      change("modulesOff", Set.of());

      for (int round = 0; round < 2; round++) {
        assertThat(ask(romeo, "get", "", BLOCK_LIST).attribute("type")).isEqualTo("result");
        assertThat(ask(romeo, "set", "", CARBONS).attribute("type")).isEqualTo("result");
        assertThat(ask(romeo, "get", "rooms.a.example", INFO).attribute("type"))
            .isEqualTo("result");
        assertThat(ask(romeo, "get", "a.example", INFO).toString()).contains("urn:xmpp:blocking");
        ask(
            romeo,
            "set",
            "",
            "<block xmlns='urn:xmpp:blocking'><item jid='juliet@b.example'/></block>");
        juliet.send("<message to='romeo@a.example/orchard' type='chat' id='no'><body/></message>");
        assertThat(juliet.receiveFirst(each -> "no".equals(each.attribute("id"))).condition())
            .isEqualTo("service-unavailable");

        change("modulesOff", Set.of("blocking", "muc", "carbons"));

        assertThat(ask(romeo, "get", "", BLOCK_LIST).condition()).isEqualTo("service-unavailable");
        assertThat(ask(romeo, "get", "rooms.a.example", INFO).condition())
            .isEqualTo("remote-server-not-found");
        assertThat(ask(romeo, "get", "a.example", INFO).toString())
            .doesNotContain("urn:xmpp:blocking");
        juliet.send("<message to='romeo@a.example/orchard' type='chat' id='yes'><body/></message>");
        romeo.receiveFirst(each -> "yes".equals(each.attribute("id")));

        change("modulesOff", Set.of());
      }
    }
  }

  @Test
  void limitsOfOneHostChange() {
    try (ScriptedClient romeo = server.connect("romeo@a.example/orchard");
        ScriptedClient juliet = server.connect("juliet@b.example/balcony")) {
      String vcard = "<vCard xmlns='vcard-temp'><FN>" + "x".repeat(2_000) + "</FN></vCard>";
      assertThat(ask(romeo, "set", "", vcard).attribute("type")).isEqualTo("result");

      HostLimits usual = server.config().limits().ofHost();
      host(
          "a.example",
          "limits",
          new HostLimits(
              1,
              usual.detachedSessionsPerAccount(),
              1,
              usual.rosterGroups(),
              usual.rosterBytes(),
              usual.offlineMessages(),
              1_024,
              1_024,
              usual.directedPresences(),
              usual.blockedAddresses(),
              usual.blockedBytes(),
              usual.pushServices(),
              usual.pushBytes(),
              usual.pushRate(),
              usual.invitations(),
              usual.pubsub(),
              usual.addressing()));

      assertThat(ask(romeo, "set", "", vcard).condition()).isEqualTo("policy-violation");
      assertThat(ask(juliet, "set", "", vcard).attribute("type")).isEqualTo("result");
      String data = "<query xmlns='jabber:iq:private'><x xmlns='x:y'>" + "x".repeat(2_000);
      assertThat(ask(romeo, "set", "", data + "</x></query>").condition())
          .isEqualTo("resource-constraint");
      assertThat(ask(juliet, "set", "", data + "</x></query>").attribute("type"))
          .isEqualTo("result");
      try (ScriptedClient second =
          server
              .connected(Login.Security.STARTTLS, "a.example")
              .negotiate(Login.of("romeo@a.example/hall", TestServer.PASSWORD))) {
        String bind =
            "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>hall</resource></bind>";
        assertThat(ask(second, "set", "", bind).condition()).isEqualTo("resource-constraint");
      }
      ask(romeo, "set", "", contact("one@a.example"));
      assertThat(ask(romeo, "set", "", contact("two@a.example")).attribute("type"))
          .isEqualTo("error");
    }
  }

  private static String contact(String jid) {
    return "<query xmlns='jabber:iq:roster'><item jid='" + jid + "'/></query>";
  }

  @Test
  void registrationContactAndRoomsOfOneHostChange() {
    change("modulesOff", Set.of());
    try (ScriptedClient nurse = server.connect("nurse@b.example/home");
        ScriptedClient juliet = server.connect("juliet@b.example/balcony")) {
      String room = "den@rooms.b.example";
      assertThat(enter(nurse, room + "/nurse").attribute("type")).isNull();
      ask(
          nurse,
          "set",
          room,
          "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query>");
      String owner = "<query xmlns='http://jabber.org/protocol/muc#owner'/>";
      assertThat(ask(juliet, "get", room, owner).condition()).isEqualTo("forbidden");

      host("b.example", "rooms", admins("juliet@b.example"));
      host("b.example", "contact", "mailto:b@b.example");
      host("b.example", "registration", new ServerConfig.Registration(true, 0));

      assertThat(ask(juliet, "get", room, owner).attribute("type")).isEqualTo("result");
      assertThat(ask(juliet, "get", "b.example", INFO).toString()).contains("mailto:b@b.example");
      assertThat(ask(juliet, "get", "a.example", INFO).toString()).doesNotContain("b@b.example");
      assertThat(offersRegistration("b.example")).isTrue();
      assertThat(offersRegistration("a.example")).isFalse();
      // The room and its occupant are as they were.
      nurse.send("<message to='" + room + "' type='groupchat' id='said'><body>x</body></message>");
      nurse.receiveFirst(each -> "said".equals(each.attribute("id")));

      host("b.example", "registration", new ServerConfig.Registration(false, 0));
      assertThat(offersRegistration("b.example")).isFalse();

      Rooms now = Objects.requireNonNull(server.config().at("b.example").rooms());
      host("b.example", "rooms", renamed(now));
      assertThat(ask(juliet, "get", room, INFO).condition()).isEqualTo("remote-server-not-found");
      assertThat(ask(juliet, "get", "chat.b.example", INFO).attribute("type")).isEqualTo("result");
    }
  }

  private static Rooms admins(String admin) {
    Rooms usual = Rooms.DEFAULTS;
    return copy(usual, usual.prefix(), List.of(admin));
  }

  private static Rooms renamed(Rooms rooms) {
    return copy(rooms, "chat", rooms.admins());
  }

  private static Rooms copy(Rooms rooms, String prefix, List<String> admins) {
    return new Rooms(
        prefix,
        Rooms.Creation.EVERYONE,
        admins,
        rooms.persistent(),
        rooms.listed(),
        rooms.membersOnly(),
        rooms.moderated(),
        rooms.nonAnonymous(),
        rooms.archive(),
        rooms.history(),
        rooms.occupants(),
        rooms.roomsPerAccount(),
        rooms.affiliations(),
        rooms.messageRate(),
        rooms.presenceRate(),
        rooms.quietAbove(),
        rooms.restoreTime());
  }

  private boolean offersRegistration(String domain) {
    try (ScriptedClient client =
        server.connected(Login.Security.STARTTLS, domain).open(domain).startTls(domain)) {
      return client.features().child("http://jabber.org/features/iq-register", "register") != null;
    }
  }

  private static XmlElement enter(ScriptedClient client, String occupant) {
    client.send(
        "<presence to='" + occupant + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    return client.receiveFirst(each -> occupant.equals(each.attribute("from")));
  }

  @Test
  void manyReloadsLeaveNothingBehind() throws Exception {
    change("modulesOff", Set.of());
    List<WeakReference<VirtualHost>> removed = new ArrayList<>();
    int threads = 0;
    try (ScriptedClient romeo = server.connect("romeo@a.example/orchard")) {
      romeo.send("<presence/>");
      for (int i = 0; i < RELOADS; i++) {
        change("hosts", List.of("a.example", "b.example", "c.example"));
        try (ScriptedClient juliet = server.connect("juliet@c.example/balcony")) {
          juliet.send("<presence/>");
          enter(juliet, "den@rooms.c.example/juliet");
          removed.add(new WeakReference<>(server.server().hosts().getLast()));
          change("modulesOff", Set.of("blocking", "muc", "mam", "registration"));
          change("modulesOff", Set.of());
          change("hosts", List.of("a.example", "b.example"));
          juliet.awaitStreamError();
        }
        if (i == RELOADS / 4) {
          threads = ManagementFactory.getThreadMXBean().getThreadCount();
        }
      }
      romeo.fence("still-there");
      assertThat(ask(romeo, "get", "", BLOCK_LIST).attribute("type")).isEqualTo("result");
    }
    assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threads + 5);
    assertThat(server.server().router().routes().domains())
        .containsExactlyInAnyOrder(
            "a.example",
            "b.example",
            "rooms.a.example",
            "rooms.b.example",
            "pubsub.a.example",
            "pubsub.b.example",
            "upload.a.example",
            "upload.b.example");
    for (int i = 0; i < COLLECTIONS && left(removed) > 0; i++) {
      server.server().router().sweep();
      System.gc();
    }
    // The last one may still be in the hands of a thread.
    assertThat(left(removed)).isLessThanOrEqualTo(1);
  }

  private static long left(List<WeakReference<VirtualHost>> references) {
    return references.stream().filter(each -> each.get() != null).count();
  }
}
