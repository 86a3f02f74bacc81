package im.zonda.app.users;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.auth.KnownClients;
import im.zonda.auth.StoredDisabling;
import im.zonda.jid.Jid;
import im.zonda.module.Ports;
import im.zonda.route.Routes;
import im.zonda.stanza.Presence;
import im.zonda.store.Account;
import im.zonda.store.MessageArchive;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.store.UploadStore;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.web.login.LoginSessions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A removed account has something of everything; the next owner of its address has nothing of it.
class AccountRemovalTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final String COVEN = "coven@rooms.example.org";
  private static final String OWN_ROOM = "own@rooms.example.org";
  private static final String ABANDONED = "abandoned@rooms.example.org";
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String REMOVE =
      "<iq type='set' id='gone'><query xmlns='jabber:iq:register'><remove/></query></iq>";

  @SuppressWarnings("NullAway.Init") // started before each test
  private TestServer server;

  private ScriptedClient juliet;

  /// How an account is removed.
  enum Way {
    IN_BAND,
    CONTROL,
    STORE
  }

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).startInMemory();
    server.accounts(List.of(ROMEO.toString(), JULIET.toString(), "paris@example.org"));
    juliet = server.connect(JULIET + "/balcony");
    juliet.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
    juliet.send("<presence/>");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Stores stores() {
    return server.stores();
  }

  private static XmlElement ask(ScriptedClient client, String to, String type, String payload) {
    String id = client.hashCode() + "-" + payload.hashCode();
    client.send("<iq type='" + type + "' id='" + id + "' to='" + to + "'>" + payload + "</iq>");
    return client.receiveFirst(e -> id.equals(e.attribute("id")));
  }

  private static void result(ScriptedClient client, String to, String payload) {
    assertThat(ask(client, to, "set", payload).attribute("type")).as(payload).isEqualTo("result");
  }

  private static void enter(ScriptedClient client, String room) {
    client.send(
        "<presence to='"
            + room
            + "/"
            + client.hashCode()
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(e -> e.toString().contains("110"));
    ask(
        client,
        room,
        "set",
        "<query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'>"
            + "<value>http://jabber.org/protocol/muc#roomconfig</value></field>"
            + "<field var='muc#roomconfig_persistentroom'><value>1</value></field></x></query>");
  }

  private static void affiliate(ScriptedClient owner, String room, Jid user, String affiliation) {
    result(
        owner,
        room,
        "<query xmlns='http://jabber.org/protocol/muc#admin'><item jid='"
            + user
            + "' affiliation='"
            + affiliation
            + "'/></query>");
  }

  private static void publish(ScriptedClient client, String to, String node) {
    result(client, to, "<pubsub xmlns='" + PUBSUB + "'><create node='" + node + "'/></pubsub>");
    result(
        client,
        to,
        "<pubsub xmlns='"
            + PUBSUB
            + "'><publish node='"
            + node
            + "'><item id='1'><x xmlns='urn:x'/></item></publish></pubsub>");
  }

  private static void grant(ScriptedClient owner, String to, String node, Jid user) {
    result(
        owner,
        to,
        "<pubsub xmlns='"
            + PUBSUB
            + "#owner'><affiliations node='"
            + node
            + "'><affiliation jid='"
            + user
            + "' affiliation='member'/></affiliations></pubsub>");
  }

  private void subscribe(ScriptedClient client, String to, String node, Jid user) {
    result(
        client,
        to,
        "<pubsub xmlns='"
            + PUBSUB
            + "'><subscribe node='"
            + node
            + "' jid='"
            + user
            + "'/></pubsub>");
  }

  /// Gives Romeo something of everything; returns his client.
  private ScriptedClient fill() {
    ScriptedClient romeo = server.connect(ROMEO + "/orchard");
    romeo.send("<presence/>");
    befriend(romeo);
    enter(juliet, COVEN);
    affiliate(juliet, COVEN, ROMEO, "admin");
    enter(romeo, OWN_ROOM);
    affiliate(romeo, OWN_ROOM, JULIET, "member");
    enter(romeo, ABANDONED);
    publish(juliet, "pubsub.example.org", "hers");
    grant(juliet, "pubsub.example.org", "hers", ROMEO);
    subscribe(romeo, "pubsub.example.org", "hers", ROMEO);
    publish(romeo, "pubsub.example.org", "his");
    publish(juliet, JULIET.toString(), "urn:diary");
    grant(juliet, JULIET.toString(), "urn:diary", ROMEO);
    subscribe(romeo, JULIET.toString(), "urn:diary", ROMEO);
    publish(romeo, ROMEO.toString(), "urn:diary");
    result(romeo, ROMEO.toString(), "<vCard xmlns='vcard-temp'><FN>Romeo</FN></vCard>");
    result(
        romeo,
        ROMEO.toString(),
        "<query xmlns='jabber:iq:private'><x xmlns='urn:x'>mine</x></query>");
    result(
        romeo,
        ROMEO.toString(),
        "<block xmlns='urn:xmpp:blocking'><item jid='tybalt@example.org'/></block>");
    juliet.send("<message type='chat' to='" + ROMEO + "'><body>archived</body></message>");
    romeo.receiveFirst(e -> "archived".equals(e.childText("body")));
    return romeo;
  }

  private void befriend(ScriptedClient romeo) {
    juliet.send("<presence type='subscribe' to='" + ROMEO + "'/>");
    romeo.receiveFirst(e -> "subscribe".equals(e.attribute("type")));
    romeo.send("<presence type='subscribed' to='" + JULIET + "'/>");
    romeo.send("<presence type='subscribe' to='" + JULIET + "'/>");
    juliet.receiveFirst(e -> "subscribe".equals(e.attribute("type")));
    juliet.send("<presence type='subscribed' to='" + ROMEO + "'/>");
    juliet.fence("friends");
    romeo.fence("friends");
    // Approved in advance, which only the other roster knows.
    stores()
        .rosters()
        .put(
            Jid.of("paris@example.org"),
            new RosterItem(ROMEO, null, Subscription.NONE, false, true, List.of(), null, true));
    assertThat(item(stores(), JULIET).subscription()).isEqualTo(Subscription.BOTH);
  }

  private static RosterItem item(Stores stores, Jid owner) {
    return stores.rosters().load(owner).items().stream()
        .filter(each -> each.jid().equals(ROMEO))
        .findFirst()
        .orElseThrow();
  }

  private void remove(Way way, ScriptedClient romeo) {
    switch (way) {
      case IN_BAND -> {
        romeo.send(REMOVE);
        assertThat(romeo.receiveFirst(e -> "gone".equals(e.attribute("id"))).attribute("type"))
            .isEqualTo("result");
      }
      case CONTROL -> {
        assertThat(server.server().removal().remove(ROMEO)).isTrue();
        server.server().router().forget(ROMEO);
      }
      case STORE -> {
        // As of a process that has ended before anything else.
        assertThat(stores().accounts().remove(ROMEO)).isTrue();
        server.server().router().forget(ROMEO);
        assertThat(stores().accounts().create(List.of(account()))).containsExactly(ROMEO);
      }
    }
    server.advance(Duration.ofMinutes(1));
    server.advance(Duration.ofMinutes(1));
  }

  private static Account account() {
    return new Account(ROMEO, List.of(), Instant.EPOCH);
  }

  @ParameterizedTest
  @EnumSource
  void theNextOwnerOfTheAddressHasNothingOfTheFormerOne(Way way) {
    ScriptedClient romeo = fill();
    remove(way, romeo);
    assertThat(stores().accounts().removed("example.org", null, 10)).isEmpty();
    server.accounts(List.of(ROMEO.toString()));
    assertNothingIsStored();
    assertNothingIsInMemory(server.connect(ROMEO + "/other"));
  }

  private void assertNothingIsStored() {
    for (Jid owner : List.of(JULIET, Jid.of("paris@example.org"))) {
      RosterItem left = item(stores(), owner);
      assertThat(left.subscription()).isEqualTo(Subscription.NONE);
      assertThat(left.approved()).isFalse();
      assertThat(left.ask()).isFalse();
      assertThat(left.request()).isNull();
    }
    assertThat(stores().rosters().load(ROMEO).items()).isEmpty();
    assertThat(stores().rooms().affiliatedRooms(ROMEO, 9)).isEmpty();
    assertThat(stores().rooms().find(Jid.of(ABANDONED))).isNull();
    RoomStore.Stored own = Objects.requireNonNull(stores().rooms().find(Jid.of(OWN_ROOM)));
    assertThat(own.affiliations()).extracting(RoomStore.Affiliation::user).containsExactly(JULIET);
    PubSubStore nodes = stores().pubSub();
    assertThat(nodes.placesOf(ROMEO, 9)).isEmpty();
    assertThat(nodes.find(Jid.of("pubsub.example.org"), "his")).isNull();
    assertThat(nodes.find(Jid.of("pubsub.example.org"), "hers")).isNotNull();
    assertThat(nodes.list(ROMEO, null, 9)).isEmpty();
    for (String name : List.of("vcard", "private", "blocking", "clients", "push")) {
      assertThat(stores().keyValues(name).all(ROMEO)).as(name).isEmpty();
    }
  }

  private static void assertNothingIsInMemory(ScriptedClient next) {
    next.send("<presence/>");
    next.fence("online");
    for (String room : List.of(COVEN, OWN_ROOM)) {
      XmlElement list =
          ask(
              next,
              room,
              "get",
              "<query xmlns='http://jabber.org/protocol/muc#admin'>"
                  + "<item affiliation='outcast'/></query>");
      assertThat(list.condition()).as(room).isEqualTo("forbidden");
    }
    for (String owner : List.of("pubsub.example.org", JULIET.toString())) {
      XmlElement subscriptions =
          ask(next, owner, "get", "<pubsub xmlns='" + PUBSUB + "'><subscriptions/></pubsub>");
      assertThat(subscriptions.toString()).as(owner).doesNotContain("subscription=");
      XmlElement affiliations =
          ask(next, owner, "get", "<pubsub xmlns='" + PUBSUB + "'><affiliations/></pubsub>");
      assertThat(affiliations.toString()).as(owner).doesNotContain("member");
    }
  }

  /// Every store that has something by the address of an account: those of values as the modules
  /// declare them, so that a new one is looked at, too.
  @Test
  void nothingIsLeftInAnyStoreThatIsKeptByAddress() {
    ScriptedClient romeo = fill();
    List<String> stores = valuesOfAccounts();
    assertThat(stores).contains("invitations", "circles", "administration", "push");
    stores.forEach(name -> stores().keyValues(name).put(ROMEO, "left", new byte[] {1}));
    upload();
    assertThat(whatIsThere(stores)).doesNotContain("nothing");
    remove(Way.CONTROL, romeo);
    server.accounts(List.of(ROMEO.toString()));
    assertThat(whatIsThere(stores)).containsOnly("nothing");
    assertNothingIsStored();
  }

  /// The stores of the modules and those of the server itself: tokens of clients, signs of logins
  /// in browsers, and whether the account is disabled.
  private static List<String> valuesOfAccounts() {
    List<String> names =
        new ArrayList<>(List.of(KnownClients.STORE, LoginSessions.STORE, StoredDisabling.STORE));
    StandardModules.create().stream()
        .flatMap(module -> module.ports().keyValues().stream())
        .filter(each -> each.owner() == Ports.Owner.ACCOUNT)
        .map(Ports.KeyValues::name)
        .forEach(names::add);
    return names;
  }

  private void upload() {
    assertThat(
            stores()
                .uploads()
                .add(
                    new UploadStore.Upload(
                        "slot",
                        ROMEO,
                        "rose.png",
                        "image/png",
                        1,
                        "hash",
                        Instant.parse("2026-01-01T00:00:00Z"),
                        null)))
        .isTrue();
  }

  /// The data of the account in each store, or `nothing`.
  private List<String> whatIsThere(List<String> values) {
    List<String> found = new ArrayList<>();
    values.forEach(
        name -> found.add(stores().keyValues(name).all(ROMEO).isEmpty() ? "nothing" : name));
    found.add(stores().uploads().list(ROMEO, Instant.EPOCH, 9).isEmpty() ? "nothing" : "files");
    found.add(stores().rosters().load(ROMEO).items().isEmpty() ? "nothing" : "contacts");
    found.add(stores().rosters().subscribedOwners(ROMEO, 9).isEmpty() ? "nothing" : "in rosters");
    found.add(stores().rooms().affiliatedRooms(ROMEO, 9).isEmpty() ? "nothing" : "rooms");
    found.add(stores().pubSub().placesOf(ROMEO, 9).isEmpty() ? "nothing" : "nodes of others");
    found.add(stores().pubSub().list(ROMEO, null, 9).isEmpty() ? "nothing" : "nodes");
    MessageArchive.Portion one = new MessageArchive.Portion(false, 1, 1);
    found.add(
        stores().archive().page(ROMEO, MessageArchive.Filter.ALL, one).entries().isEmpty()
            ? "nothing"
            : "messages");
    return found;
  }

  @Test
  void aContactIsNotified() {
    ScriptedClient romeo = fill();
    juliet.skipUnread();
    assertThat(server.server().removal().remove(ROMEO)).isTrue();
    for (String type : List.of("unsubscribed", "unsubscribe")) {
      juliet.receiveFirst(e -> type.equals(e.attribute("type")));
    }
    romeo.disconnect();
  }

  @Test
  void aBanIsOfTheAddressAndStays() {
    Consumer<String> banned =
        room ->
            assertThat(stores().rooms().find(Jid.of(room)))
                .isNotNull()
                .extracting(RoomStore.Stored::affiliations)
                .asString()
                .contains("outcast");
    ScriptedClient romeo = fill();
    affiliate(juliet, COVEN, ROMEO, "outcast");
    remove(Way.IN_BAND, romeo);
    assertThat(stores().accounts().create(List.of(account()))).isEmpty();
    banned.accept(COVEN);
  }

  /// No client can have the server forget somebody.
  @Test
  void onlyTheDomainOfAUserHasItForgotten() {
    fill();
    for (String payload : List.of("occupant", "subscriber", "contact")) {
      for (String to : List.of(COVEN, "pubsub.example.org", JULIET.toString())) {
        ScriptedClient paris = server.connect("paris@example.org/" + payload + to.length());
        XmlElement answer =
            ask(
                paris,
                to,
                "set",
                "<removed-"
                    + payload
                    + " xmlns='urn:zonda:accounts:0' node='hers' jid='"
                    + ROMEO
                    + "'/>");
        assertThat(answer.attribute("type")).isEqualTo("error");
        paris.disconnect();
      }
    }
    assertThat(stores().rooms().affiliatedRooms(ROMEO, 9)).hasSize(3);
    assertThat(item(stores(), JULIET).subscription()).isEqualTo(Subscription.BOTH);
  }

  /// Gives Romeo a contact at a domain that only records, and a room at one that never answers.
  private void reserve(List<String> received) {
    stores()
        .rosters()
        .put(
            ROMEO,
            new RosterItem(
                Jid.of("nurse@remote.example"),
                null,
                Subscription.BOTH,
                false,
                false,
                List.of(),
                null,
                true));
    Jid room = Jid.of("room@silent.example");
    stores()
        .rooms()
        .save(
            new RoomStore.Room(room, null, Instant.EPOCH, true, true, "", ""),
            List.of(new RoomStore.Affiliation(ROMEO, "member", null, null)));
    Routes routes = server.server().router().routes();
    routes.add(Jid.of("silent.example"), envelope -> {});
    routes.add(
        Jid.of("remote.example"),
        envelope -> {
          Presence.Type type = ((Presence) envelope.stanza()).type();
          received.add(type.name());
          if (received.size() == 1) {
            throw new IllegalStateException("the test's");
          }
        });
  }

  @Test
  void aContactIsNotifiedOnceWhileTheAddressStaysReserved() {
    List<String> received = new ArrayList<>();
    reserve(received);
    assertThat(server.server().removal().remove(ROMEO)).isTrue();
    for (int i = 0; i < 5; i++) {
      server.advance(Duration.ofMinutes(1));
    }
    assertThat(received)
        .as("one attempt that has failed, and one that has not")
        .containsExactly("UNSUBSCRIBED", "UNSUBSCRIBED", "UNSUBSCRIBE");
    assertThat(stores().accounts().removed("example.org", null, 10)).hasSize(1);
  }
}
