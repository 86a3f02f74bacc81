package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.Proxy;
import im.zonda.config.S2s;
import im.zonda.config.component.ComponentDelegation;
import im.zonda.config.component.ComponentPrivilege;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.store.KeyValueStore;
import im.zonda.store.RemoteQueueStore;
import im.zonda.store.Stores;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.xml.Element;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Nothing of an account is visible to the account with the same name of another host. There is a
/// case for each module and for each store; one without a case fails.
@Timeout(60)
class HostIsolationTest {
  private static final String SECRET = "the-secret-of-a";
  private static final String GATEWAY = "gateway.a.example";
  private static final ComponentPrivilege ROSTERS =
      new ComponentPrivilege(
          List.of(),
          ComponentPrivilege.Access.GET,
          true,
          ComponentPrivilege.Messages.NONE,
          ComponentPrivilege.PresenceOf.NONE,
          List.of(),
          List.of());
  private static final ComponentDelegation DELEGATED =
      new ComponentDelegation(List.of(), List.of("x:delegated"));
  private static final String INFO = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
  private static final String ITEMS = "<query xmlns='http://jabber.org/protocol/disco#items'/>";

  private TestServer server;
  private ScriptedClient first;
  private ScriptedClient second;
  private int requests;

  /// A case: the account of the first host does something; that of the second sees nothing of it.
  private interface Case {
    void run() throws Exception;
  }

  @BeforeEach
  void start() throws IOException {
    server =
        ServerPlan.of(StandardModules::create)
            .withHosts("a.example", "b.example")
            .with("component.secret", Map.of(GATEWAY, "secret"))
            .with("component.privilege", Map.of(GATEWAY, ROSTERS))
            .with("component.delegation", Map.of(GATEWAY, DELEGATED))
            .with("proxy", new Proxy(List.of("127.0.0.1:0"), SECRET, 7625, "proxy", List.of()))
            .with("services.search", IsolationCases.SEARCH)
            .with("host", Map.of("a.example", IsolationCases.ADMINISTRATED))
            .with("s2s.strangers", S2s.Strangers.REJECT)
            .with(
                "s2s.domain",
                Map.of("d.example", new S2s.Domain(null, null, null, null, S2s.Strangers.HOLD)))
            .startInMemory();
    first = server.connect("romeo@a.example/orchard");
    second = server.connect("romeo@b.example/orchard");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // set before each test
  HostIsolationTest() {}

  private Map<String, Case> cases() {
    Map<String, Case> cases = new LinkedHashMap<>();
    IsolationCases.KEPT_APART.forEach((name, payloads) ->
        cases.put(
            name, () -> keptApart(payloads.getFirst().formatted(SECRET), payloads.getLast())));
    cases.put("presence", this::presence);
    cases.put("administration", () -> AdminIsolation.run(first, second, SECRET));
    cases.put("audit", () -> IsolationCases.audit(server.stores().audit(), SECRET));
    cases.put("traces", () -> IsolationCases.traces(server.stores().traces(), SECRET));
    cases.put("journal", () -> IsolationCases.journal(server.stores().journal(), SECRET));
    cases.put("several addresses", () -> IsolationCases.severalAddresses(first, SECRET));
    cases.put("archive", this::archive);
    cases.put("offline messages", this::offlineMessages);
    cases.put("messages for other servers", this::messagesForOtherServers);
    cases.put("items", this::items);
    cases.put("clients", this::clients);
    cases.put("carbons", this::carbons);
    cases.put("last activity", this::lastActivity);
    cases.put("rooms", this::rooms);
    cases.put("room search", this::roomSearch);
    cases.put("rights in rooms", this::rightsInRooms);
    cases.put("registration", this::registration);
    cases.put("password", this::password);
    cases.put("contact addresses", this::contactAddresses);
    cases.put("rights of components", this::rightsOfComponents);
    cases.put("delegated requests", this::delegatedRequests);
    cases.put("strangers", this::strangers);
    cases.put("held messages", this::heldMessages);
    cases.put("resumption", this::resumption);
    cases.put("tokens", this::tokens);
    cases.put("push services", this::pushServices);
    cases.put("user search", this::userSearch);
    cases.put("invitations", () -> IsolationCases.invitations(this::ask, first, second));
    cases.put("circles", () -> IsolationCases.circles(this::ask, first, second));
    cases.put("shared groups", () -> IsolationCases.groups(this::ask, server, first, second));
    cases.put("bytestreams proxy", () -> IsolationCases.bytestreams(this::ask, first, second));
    cases.put("guests", () -> IsolationCases.guests(server, INFO));
    cases.put("uploads", () -> IsolationCases.uploads(this::ask, first, second));
    cases.put("nodes of services", () -> IsolationCases.serviceNodes(this::ask, first, second));
    return cases;
  }

  @TestFactory
  Stream<DynamicTest> eachCase() {
    return cases().keySet().stream()
        .map(name ->
            DynamicTest.dynamicTest(
                name,
                () -> {
                  stop();
                  start();
                  Objects.requireNonNull(cases().get(name)).run();
                  second.fence("end");
                  assertThat(everythingUnread(second)).doesNotContain(SECRET);
                }));
  }

  private static String everythingUnread(ScriptedClient client) {
    StringBuilder all = new StringBuilder();
    while (client.unread() > 0) {
      all.append(client.receive());
    }
    return all.toString();
  }

  @Test
  void everyModuleHasACase() {
    assertThat(StandardModules.create().stream().map(XmppModule::name))
        .containsExactlyInAnyOrderElementsOf(IsolationCases.MODULES.keySet());
    Set<String> cases = new TreeSet<>(cases().keySet());
    cases.add(IsolationCases.NONE);
    IsolationCases.MODULES.values().forEach(each -> assertThat(cases).containsAll(each));
  }

  @Test
  void everyStoreHasACase() {
    Set<String> stores = new TreeSet<>();
    for (Method method : Stores.class.getDeclaredMethods()) {
      // A method with parameters reads several of the stores at once, or names one.
      if (method.getParameterCount() == 0 && !method.getName().equals("close")) {
        stores.add(method.getName());
      }
    }
    for (XmppModule module : StandardModules.create()) {
      for (Ports.KeyValues store : module.ports().keyValues()) {
        stores.add("keyValues:" + store.name());
      }
    }
    assertThat(IsolationCases.STORES.keySet()).containsAll(stores);
    Set<String> cases = new TreeSet<>(cases().keySet());
    cases.add(IsolationCases.NONE);
    assertThat(cases).containsAll(IsolationCases.STORES.values());
  }

  private XmlElement ask(ScriptedClient client, String type, String to, String payload) {
    String id = "q" + requests++;
    String address = to.isEmpty() ? ">" : " to='" + to + "'>";
    client.send("<iq type='" + type + "' id='" + id + "'" + address + payload + "</iq>");
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  /// What one account stores for itself the other does not get, neither as its own nor by asking.
  private void keptApart(String store, String read) {
    assertThat(ask(first, "set", "", store).attribute("type")).isEqualTo("result");
    assertThat(ask(first, "get", "", read).toString()).contains(SECRET);
    assertThat(ask(second, "get", "", read).toString()).doesNotContain(SECRET);
    if (!read.contains("vcard-temp")) { // which is public
      assertThat(ask(second, "get", "romeo@a.example", read).toString()).doesNotContain(SECRET);
    }
  }

  private void presence() {
    second.send("<presence/>");
    first.send("<presence><status>" + SECRET + "</status></presence>");
    first.fence("shown");
    second.send("<presence type='probe' to='romeo@a.example'/>");
    second.fence("probed", "romeo@a.example");
  }

  private void archive() {
    first.send("<message to='juliet@a.example' type='chat'><body>" + SECRET + "</body></message>");
    first.fence("sent", "juliet@a.example");
    String query = "<query xmlns='urn:xmpp:mam:2'/>";
    ask(first, "set", "", query);
    assertThat(everythingUnread(first)).contains(SECRET);
    ask(second, "set", "", query);
    assertThat(everythingUnread(second)).doesNotContain(SECRET);
    assertThat(ask(second, "set", "romeo@a.example", query).condition()).isEqualTo("forbidden");
  }

  /// What comes for the account of the same name at the other host is not announced.
  private void pushServices() {
    server.accounts(Set.of("push@a.example"));
    ScriptedClient service = server.connect("push@a.example/service");
    ask(first, "set", "", IsolationCases.ENABLE_PUSH.formatted(service.jid()));
    first.disconnect();
    for (String to : List.of("romeo@b.example", "romeo@a.example")) {
      service.send("<message to='" + to + "' type='chat'><body>for " + to + "</body></message>");
      service.fence("sent", to);
    }
    XmlElement push = service.receiveFirst(each -> each.localName().equals("iq"));
    assertThat(push.attribute("from")).isEqualTo("romeo@a.example");
    assertThat(everythingUnread(service)).doesNotContain("b.example");
  }

  private void userSearch() {
    ask(first, "set", "", IsolationCases.NICKNAME.formatted(SECRET));
    String search = "<query xmlns='jabber:iq:search'><nick>secret</nick></query>";
    assertThat(ask(first, "set", "search.a.example", search).toString()).contains(SECRET);
    assertThat(ask(second, "set", "search.a.example", search).toString()).doesNotContain(SECRET);
    assertThat(ask(second, "set", "search.b.example", search).toString()).doesNotContain(SECRET);
  }

  private void offlineMessages() {
    server.accounts(Set.of("nurse@a.example", "nurse@b.example"));
    first.send("<message to='nurse@a.example' type='chat'><body>" + SECRET + "</body></message>");
    first.fence("sent", "nurse@a.example");
    ScriptedClient other = server.connect("nurse@b.example/home");
    other.send("<presence/>");
    other.fence("read");
    assertThat(everythingUnread(other)).doesNotContain(SECRET);
    ScriptedClient right = server.connect("nurse@a.example/home");
    right.send("<presence/>");
    right.receiveFirst(each -> SECRET.equals(each.childText("body")));
  }

  private void messagesForOtherServers() {
    RemoteQueueStore queues = server.stores().remoteQueues();
    Jid queue = RemoteQueueStore.address("a.example", "c.example");
    queues.create(queue);
    assertThat(queues.list("a.example", null, 10)).containsExactly(queue);
    assertThat(queues.list("b.example", null, 10)).isEmpty();
  }

  private void strangers() {
    first.send("<message to='" + SECRET + "@c.example' type='chat'><body>x</body></message>");
    first.receiveFirst(each -> "error".equals(each.attribute("type")));
    first.fence("noted");
    KeyValueStore known = server.stores().keyValues("strangers");
    assertThat(known.get(Jid.of("romeo@a.example"), "addresses")).asString().contains(SECRET);
    assertThat(known.get(Jid.of("romeo@b.example"), "addresses")).isNull();
  }

  private void heldMessages() {
    Message message =
        Message.of(
            Message.Type.CHAT,
            Jid.of("tybalt@d.example/hall"),
            Jid.of("romeo@a.example"),
            null,
            List.of(Element.builder("jabber:client", "body").text(SECRET).build()));
    server.server().router().routes().route(Envelope.of(message));
    // It is delivered to those who know the sender.
    second.send("<message to='tybalt@d.example' type='chat'><body>x</body></message>");
    second.fence("known");
    KeyValueStore held = server.stores().keyValues("held");
    assertThat(held.all(Jid.of("romeo@a.example")).values())
        .singleElement(InstanceOfAssertFactories.BYTE_ARRAY)
        .asString()
        .contains(SECRET);
    assertThat(held.all(Jid.of("romeo@b.example"))).isEmpty();
  }

  private void items() {
    assertThat(ask(second, "get", "b.example", ITEMS).toString()).doesNotContain("a.example");
    XmlElement others = ask(second, "get", "romeo@a.example", ITEMS);
    assertThat(others.children()).allSatisfy(each -> assertThat(each.children()).isEmpty());
    assertThat(ask(second, "get", "romeo@a.example", INFO).condition()).isNotEmpty();
  }

  private void clients() {
    String list = "<list xmlns='urn:xmpp:manage-access:0'/>";
    assertThat(ask(second, "get", "", list).toString()).doesNotContain("a.example");
    assertThat(ask(second, "get", "romeo@a.example", list).attribute("type")).isEqualTo("error");
  }

  private void carbons() {
    ask(second, "set", "", "<enable xmlns='urn:xmpp:carbons:2'/>");
    second.send("<presence/>");
    first.send("<presence/>");
    ScriptedClient juliet = server.connect("juliet@a.example/balcony");
    juliet.send(
        "<message to='romeo@a.example/orchard' type='chat'><body>" + SECRET + "</body></message>");
    first.receiveFirst(each -> SECRET.equals(each.childText("body")));
  }

  private void lastActivity() {
    first.send("<presence type='unavailable'><status>" + SECRET + "</status></presence>");
    first.fence("gone");
    String last = "<query xmlns='jabber:iq:last'/>";
    assertThat(ask(second, "get", "romeo@a.example", last).attribute("type")).isEqualTo("error");
    assertThat(ask(second, "get", "", last).toString()).doesNotContain(SECRET);
  }

  private void enter(ScriptedClient client, String room) {
    String occupant = room + "/romeo";
    client.send(IsolationCases.JOIN.formatted(occupant));
    client.receiveFirst(each -> occupant.equals(each.attribute("from")));
    ask(
        client,
        "set",
        room,
        "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data'"
            + " type='submit'><field var='FORM_TYPE'><value>"
            + "http://jabber.org/protocol/muc#roomconfig</value></field>"
            + "<field var='muc#roomconfig_roomname'><value>"
            + SECRET
            + "</value></field><field var='muc#roomconfig_publicroom'><value>1</value></field>"
            + "</x></query>");
  }

  private void rooms() {
    enter(first, "garden@rooms.a.example");
    assertThat(ask(first, "get", "rooms.a.example", ITEMS).toString()).contains(SECRET);
    assertThat(ask(second, "get", "rooms.b.example", ITEMS).toString()).doesNotContain(SECRET);
    assertThat(ask(second, "get", "garden@rooms.b.example", INFO).condition())
        .isEqualTo("item-not-found");
    // Rooms are created by the accounts of the host.
    second.send(
        "<presence to='new@rooms.a.example/romeo'><x xmlns='http://jabber.org/protocol/muc'/>"
            + "</presence>");
    assertThat(
            second
                .receiveFirst(each -> "new@rooms.a.example/romeo".equals(each.attribute("from")))
                .condition())
        .isEqualTo("not-allowed");
  }

  private void roomSearch() {
    enter(first, "garden@rooms.a.example");
    String search =
        "<search xmlns='urn:xmpp:channel-search:0:search'><x xmlns='jabber:x:data' type='submit'>"
            + "<field var='FORM_TYPE'><value>urn:xmpp:channel-search:0:search-params</value>"
            + "</field><field var='all'><value>true</value></field></x></search>";
    assertThat(ask(first, "get", "rooms.a.example", search).toString()).contains(SECRET);
    assertThat(ask(second, "get", "rooms.b.example", search).toString()).doesNotContain(SECRET);
  }

  private void rightsInRooms() {
    enter(first, "garden@rooms.a.example");
    String room = "garden@rooms.a.example";
    String owner = "<query xmlns='http://jabber.org/protocol/muc#owner'/>";
    String owners =
        "<query xmlns='http://jabber.org/protocol/muc#admin'><item affiliation='owner'/></query>";
    assertThat(ask(first, "get", room, owner).attribute("type")).isEqualTo("result");
    assertThat(ask(second, "get", room, owner).condition()).isEqualTo("forbidden");
    assertThat(ask(second, "get", room, owners).condition()).isEqualTo("forbidden");
    String hats =
        "<command xmlns='http://jabber.org/protocol/commands' action='execute'"
            + " node='urn:xmpp:hats:commands:list-assigned'/>";
    assertThat(ask(second, "set", room, hats).attribute("type")).isEqualTo("error");
  }

  private void registration() {
    ask(first, "set", "a.example", "<query xmlns='jabber:iq:register'><remove/></query>");
    assertThat(server.stores().accounts().list("b.example", null, 10)).hasSize(1);
    assertThat(server.stores().accounts().list("a.example", null, 10)).isEmpty();
    second.fence("still-there");
  }

  private void password() {
    ask(
        first,
        "set",
        "a.example",
        "<query xmlns='jabber:iq:register'><username>romeo</username><password>"
            + SECRET
            + "</password></query>");
    Login changed = Login.of("romeo@a.example/x", SECRET).withSecurity(Login.Security.NONE);
    server.login(changed).fence("in");
    Login wrong = Login.of("romeo@b.example", SECRET).withSecurity(Login.Security.NONE);
    XmlElement answer =
        server.connected(Login.Security.NONE, "b.example").open("b.example").authenticate(wrong);
    assertThat(answer.localName()).isEqualTo("failure");
  }

  private void contactAddresses() {
    assertThat(ask(second, "get", "b.example", INFO).toString()).doesNotContain("a.example");
  }

  /// A token is for one account (XEP-0484).
  private void tokens() throws IOException {
    String agent =
        "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>Test</software>"
            + "</user-agent>";
    String mechanism = "HT-SHA-256-NONE";
    Login owner = login("romeo@a.example");
    Login other = login("romeo@b.example");
    try (TestServer secure =
            ServerPlan.of(StandardModules::create)
                .withHosts("a.example", "b.example")
                .startOnSockets();
        ScriptedClient a = secure.connected(Login.Security.DIRECT_TLS, "a.example");
        ScriptedClient thief = secure.connected(Login.Security.DIRECT_TLS, "b.example");
        ScriptedClient again = secure.connected(Login.Security.DIRECT_TLS, "a.example")) {
      secure.accounts(Set.of("romeo@a.example", "romeo@b.example"));
      String request = "<request-token xmlns='urn:xmpp:fast:0' mechanism='" + mechanism + "'/>";
      XmlElement success = a.open("a.example").authenticate2(owner, agent + request);
      XmlElement given = Objects.requireNonNull(success.child("urn:xmpp:fast:0", "token"));
      String token = Objects.requireNonNull(given.attribute("token"));
      String bind = "<bind xmlns='urn:xmpp:bind:0'/>";
      assertThat(thief.comeBack(other, mechanism, token, agent + bind).localName())
          .isEqualTo("failure");
      assertThat(again.comeBack(owner, mechanism, token, agent + bind).localName())
          .isEqualTo("success");
    }
  }

  private static Login login(String jid) {
    return Login.of(jid, TestServer.PASSWORD).withSecurity(Login.Security.DIRECT_TLS);
  }

  /// A component of one host gets no roster of another (XEP-0356).
  private void rightsOfComponents() {
    ScriptedClient gateway = server.component(GATEWAY);
    assertThat(askedForRoster(gateway, "romeo@a.example")).isEqualTo("result");
    assertThat(askedForRoster(gateway, "romeo@b.example")).isEqualTo("error");
  }

  private String askedForRoster(ScriptedClient component, String account) {
    String id = "q" + requests++;
    component.send(
        "<iq type='get' id='%s' from='%s' to='%s'><query xmlns='jabber:iq:roster'/></iq>"
            .formatted(id, GATEWAY, account));
    return String.valueOf(
        component.receiveFirst(each -> id.equals(each.attribute("id"))).attribute("type"));
  }

  /// A component of one host gets no request of another (XEP-0355).
  private void delegatedRequests() {
    ScriptedClient gateway = server.component(GATEWAY);
    String request = "<query xmlns='x:delegated'/>";
    assertThat(ask(second, "set", "", request).condition()).isEqualTo("service-unavailable");
    first.send("<iq type='set' id='delegated'>" + request + "</iq>");
    XmlElement forwarded = gateway.receiveFirst(each -> "set".equals(each.attribute("type")));
    assertThat(forwarded.attribute("from")).isEqualTo("a.example");
    assertThat(everythingUnread(gateway)).doesNotContain("b.example");
  }

  /// The id of a session is worth nothing to another account (XEP-0198, section 5).
  private void resumption() {
    first.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>");
    String id = first.receiveFirst(each -> each.localName().equals("enabled")).attribute("id");
    first.drop();
    ScriptedClient thief =
        server
            .connected(Login.Security.NONE, "b.example")
            .negotiate(
                Login.of("romeo@b.example", TestServer.PASSWORD).withSecurity(Login.Security.NONE));
    thief.send("<resume xmlns='urn:xmpp:sm:3' h='0' previd='" + id + "'/>");
    assertThat(thief.receive().localName()).isEqualTo("failed");
    ScriptedClient owner =
        server
            .connected(Login.Security.NONE, "a.example")
            .negotiate(
                Login.of("romeo@a.example", TestServer.PASSWORD).withSecurity(Login.Security.NONE));
    owner.send("<resume xmlns='urn:xmpp:sm:3' h='0' previd='" + id + "'/>");
    assertThat(owner.receive().localName()).isEqualTo("resumed");
  }
}
