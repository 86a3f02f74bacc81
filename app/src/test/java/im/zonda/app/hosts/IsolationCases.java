package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Administration;
import im.zonda.config.Guests;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalStore;
import im.zonda.store.AuditStore;
import im.zonda.store.KeyValueStore;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.trace.TraceStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Which case of [HostIsolationTest] shows that a module or a store keeps hosts apart.
final class IsolationCases {
  static final String NONE = "nothing of its own that another host could see";

  /// Enters a room as the occupant `%s`.
  static final String JOIN =
      "<presence to='%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>";

  /// The cases of each module.
  static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          Map.entry("roster", Set.of("roster")),
          Map.entry("presence", Set.of("presence")),
          Map.entry("blocking", Set.of("blocking")),
          Map.entry("mam", Set.of("archive", "archive preferences")),
          Map.entry("offline", Set.of("offline messages")),
          Map.entry("disco", Set.of("items")),
          Map.entry("access", Set.of("clients")),
          Map.entry("carbons", Set.of("carbons")),
          Map.entry("last", Set.of("last activity")),
          Map.entry("muc", Set.of("rooms", "room search", "rights in rooms")),
          Map.entry("privatexml", Set.of("private XML")),
          Map.entry("registration", Set.of("registration", "password")),
          Map.entry("vcard", Set.of("vCard")),
          Map.entry("contact", Set.of("contact addresses")),
          Map.entry("privilege", Set.of("rights of components")),
          Map.entry("delegation", Set.of("delegated requests")),
          Map.entry("moved", Set.of("roster")),
          Map.entry("strangers", Set.of("strangers", "held messages")),
          Map.entry("pubsub", Set.of("nodes")),
          Map.entry("bookmarks", Set.of("nodes", "private XML")),
          Map.entry("avatar", Set.of("nodes", "vCard")),
          Map.entry("displayed", Set.of("nodes")),
          Map.entry("following", Set.of("nodes")),
          Map.entry("profile", Set.of("nodes")),
          Map.entry("pubsub-service", Set.of("nodes of services")),
          Map.entry("push", Set.of("push services")),
          Map.entry("search", Set.of("user search")),
          Map.entry("admin", Set.of("administration")),
          Map.entry("invitations", Set.of("invitations")),
          Map.entry("circle", Set.of("circles")),
          Map.entry("group", Set.of("shared groups")),
          Map.entry("addressing", Set.of("several addresses")),
          Map.entry("bytestreams", Set.of("bytestreams proxy")),
          Map.entry("upload", Set.of("uploads")),
          Map.entry("guests", Set.of("guests")),
          Map.entry("export", Set.of(NONE)),
          Map.entry("external", Set.of(NONE)),
          Map.entry("datapolicy", Set.of(NONE)),
          Map.entry("hostmeta", Set.of(NONE)),
          Map.entry("web", Set.of(NONE)),
          Map.entry("stanzaid", Set.of(NONE)),
          Map.entry("hints", Set.of(NONE)),
          Map.entry("delay", Set.of(NONE)),
          Map.entry("ping", Set.of(NONE)),
          Map.entry("time", Set.of(NONE)),
          Map.entry("version", Set.of(NONE)));

  /// The cases of each store, the key-value stores by their names.
  static final Map<String, String> STORES =
      Map.ofEntries(
          Map.entry("accounts", "password"),
          Map.entry("audit", "audit"),
          Map.entry("history", NONE), // what was measured, of no host
          Map.entry("sizes", NONE), // counts what the others have
          Map.entry("journal", "journal"),
          Map.entry("traces", "traces"),
          Map.entry("rosters", "roster"),
          Map.entry("rooms", "rooms"),
          Map.entry("messages", "offline messages"),
          Map.entry("clusterLog", "offline messages"), // the origins of the same entries
          Map.entry("remoteQueues", "messages for other servers"),
          Map.entry("archive", "archive"),
          Map.entry("keyValues:blocking", "blocking"),
          Map.entry("keyValues:mam", "archive preferences"),
          Map.entry("keyValues:private", "private XML"),
          Map.entry("keyValues:vcard", "vCard"),
          Map.entry("keyValues:last", "last activity"),
          Map.entry("keyValues:hats", "rights in rooms"),
          Map.entry("keyValues:strangers", "strangers"),
          Map.entry("keyValues:held", "held messages"),
          Map.entry("keyValues:clients", "tokens"),
          Map.entry("keyValues:push", "push services"),
          Map.entry("keyValues:directory", "user search"),
          Map.entry("keyValues:administration", "administration"),
          Map.entry("keyValues:reports", "administration"),
          Map.entry("keyValues:invitations", "invitations"),
          Map.entry("keyValues:circles", "circles"),
          Map.entry("keyValues:groups", "shared groups"),
          Map.entry("keyValues:disabled", "administration"),
          Map.entry("keyValues:signins", "password"), // of pages; LoginSessionsTest has their host
          Map.entry("pubSub", "nodes"),
          Map.entry("uploads", "uploads"));

  /// What an account stores for itself, by case: the payload that stores a text, which is `%s` in
  /// it, and the one that reads it.
  static final Map<String, List<String>> KEPT_APART =
      Map.of(
          "roster",
          List.of(
              "<query xmlns='jabber:iq:roster'><item jid='x@c.example' name='%s'/></query>",
              "<query xmlns='jabber:iq:roster'/>"),
          "blocking",
          List.of(
              "<block xmlns='urn:xmpp:blocking'><item jid='%s@c.example'/></block>",
              "<blocklist xmlns='urn:xmpp:blocking'/>"),
          "archive preferences",
          List.of(
              "<prefs xmlns='urn:xmpp:mam:2' default='never'><always><jid>%s@c.example</jid>"
                  + "</always><never/></prefs>",
              "<prefs xmlns='urn:xmpp:mam:2'/>"),
          "private XML",
          List.of(
              "<query xmlns='jabber:iq:private'><x xmlns='x:y'>%s</x></query>",
              "<query xmlns='jabber:iq:private'><x xmlns='x:y'/></query>"),
          "vCard",
          List.of("<vCard xmlns='vcard-temp'><FN>%s</FN></vCard>", "<vCard xmlns='vcard-temp'/>"),
          "nodes",
          List.of(
              "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='n'>"
                  + "<item id='i'><x xmlns='x:y'>%s</x></item></publish></pubsub>",
              "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='n'/></pubsub>"));

  static final String ENABLE_PUSH = "<enable xmlns='urn:xmpp:push:0' jid='%s' node='n'/>";

  static final String NICKNAME = "<vCard xmlns='vcard-temp'><NICKNAME>%s</NICKNAME></vCard>";

  /// All users are found by their nicknames.
  static final Services.Search SEARCH =
      new Services.Search(Services.Search.Users.ALL, List.of("nick"), "search", 10);

  /// The administrator of the first host only.
  static final ServerConfig.Host ADMINISTRATED =
      new ServerConfig.Host(
          null,
          null,
          null,
          new Services(Services.Push.DEFAULTS, Map.of(), SEARCH)
              .with(new Guests(true, true, true, 10, 10, 0))
              .with(Administration.DEFAULTS.withAdmins(List.of("romeo@a.example"))),
          null,
          null,
          null,
          null);

  /// Sends a request and returns the answer.
  interface Asking {
    XmlElement ask(ScriptedClient client, String type, String to, String payload);
  }

  /// Nodes of the services of two hosts, with the same name.
  static void serviceNodes(Asking asking, ScriptedClient first, ScriptedClient second) {
    String publish =
        "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='n'><item id='i'>"
            + "<x xmlns='x:y'>secret</x></item></publish></pubsub>";
    String own = "<pubsub xmlns='http://jabber.org/protocol/pubsub'><affiliations/></pubsub>";
    String items = "<query xmlns='http://jabber.org/protocol/disco#items'/>";
    String at = "pubsub.a.example";
    assertThat(asking.ask(first, "set", at, publish).attribute("type")).isEqualTo("result");
    assertThat(asking.ask(first, "get", at, items).toString()).contains("'n'");
    assertThat(asking.ask(first, "get", at, own).toString()).contains("'n'");
    String other = "pubsub.b.example";
    assertThat(asking.ask(second, "get", other, items).toString()).doesNotContain("'n'");
    assertThat(asking.ask(first, "get", other, own).toString()).doesNotContain("'n'");
    // Nodes are created by the accounts of the host, and published to by their owners.
    String create = "<pubsub xmlns='http://jabber.org/protocol/pubsub'><create/></pubsub>";
    assertThat(asking.ask(second, "set", at, create).condition()).isEqualTo("forbidden");
    assertThat(asking.ask(second, "set", at, publish).condition()).isEqualTo("forbidden");
  }

  /// Invitations of two accounts with the same name.
  static void invitations(Asking asking, ScriptedClient first, ScriptedClient second) {
    String invite =
        "<command xmlns='http://jabber.org/protocol/commands' node='urn:xmpp:invite#invite'/>";
    assertThat(asking.ask(second, "set", "a.example", invite).condition()).isEqualTo("forbidden");
    String answer = asking.ask(first, "set", "a.example", invite).toString();
    int start = answer.indexOf("preauth=") + "preauth=".length();
    String token = answer.substring(start, answer.indexOf('<', start));
    String request =
        "<presence to='%s' type='subscribe'><preauth xmlns='urn:xmpp:pars:0' token='"
            + token
            + "'/></presence>";
    String roster = "<query xmlns='jabber:iq:roster'/>";
    first.send(request.formatted("romeo@b.example"));
    first.fence("requested", "romeo@b.example");
    assertThat(asking.ask(second, "get", "", roster).toString()).doesNotContain("a.example");
    second.send(request.formatted("romeo@a.example"));
    second.fence("requested", "romeo@a.example");
    assertThat(asking.ask(first, "get", "", roster).toString())
        .contains("subscription='from'")
        .contains("romeo@b.example");
  }

  /// Circles are made by administrators of the host, of accounts of the host.
  static void circles(Asking asking, ScriptedClient first, ScriptedClient second) {
    String command = "<command xmlns='http://jabber.org/protocol/commands' %s>%s</command>";
    String create = "node='urn:zonda:circles:0#create'";
    String begin = command.formatted(create, "");
    assertThat(asking.ask(second, "set", "a.example", begin).condition()).isEqualTo("forbidden");
    assertThat(asking.ask(first, "set", "b.example", begin).condition()).isEqualTo("forbidden");
    String field = "<field var='%s'><value>%s</value></field>";
    for (String member : List.of("romeo@b.example", "romeo@a.example")) {
      String session =
          Objects.requireNonNull(asking.ask(first, "set", "a.example", begin).child("command"))
              .attribute("sessionid");
      String form =
          "<x xmlns='jabber:x:data' type='submit'>"
              + field.formatted("name", "Family")
              + field.formatted("accountjids", member)
              + "</x>";
      String request = command.formatted(create + " sessionid='" + session + "'", form);
      assertThat(asking.ask(first, "set", "a.example", request).toString())
          .contains(
              member.endsWith("b.example")
                  ? "is not an account of a.example"
                  : "family@rooms.a.example");
    }
  }

  /// A group of a host has members of that host, whatever its store says of others, and is seen by
  /// these.
  static void groups(
      Asking asking, TestServer server, ScriptedClient first, ScriptedClient second) {
    KeyValueStore store = server.stores().keyValues("groups");
    server.accounts(List.of("juliet@a.example"));
    byte[] group = "name=Family\n".getBytes(StandardCharsets.UTF_8);
    byte[] member = "member".getBytes(StandardCharsets.UTF_8);
    store.put(Jid.of("a.example"), "group/family", group);
    for (String each : List.of("romeo@a.example", "juliet@a.example", "romeo@b.example")) {
      store.put(Jid.of(each), "member/family", member);
    }
    for (int minute = 0; minute < 5; minute++) {
      server.advance(Duration.ofMinutes(1));
    }
    String roster = "<query xmlns='jabber:iq:roster'/>";
    assertThat(asking.ask(first, "get", "", roster).toString())
        .contains("juliet@a.example", "Family")
        .doesNotContain("romeo@b.example");
    assertThat(asking.ask(second, "get", "", roster).toString()).doesNotContain("Family");
  }

  /// An account of another host cannot have a host send to several addresses.
  static void severalAddresses(ScriptedClient first, String secret) {
    first.send(
        "<message to='b.example' id='each'><body>"
            + secret
            + "</body><addresses xmlns='http://jabber.org/protocol/address'>"
            + "<address type='to' jid='romeo@b.example'/></addresses></message>");
    XmlElement answer = first.receiveFirst(element -> "each".equals(element.attribute("id")));
    assertThat(answer.condition()).isEqualTo("forbidden");
  }

  /// A guest of the first host reaches nothing of the second.
  static void guests(TestServer server, String info) {
    try (ScriptedClient guest = server.open("nobody@a.example")) {
      guest.send(
          "<authenticate xmlns='urn:xmpp:sasl:2' mechanism='ANONYMOUS'>"
              + "<bind xmlns='urn:xmpp:bind:0'/></authenticate>");
      assertThat(guest.receive().localName()).isEqualTo("success");
      guest.receive(); // the features
      for (String to :
          List.of("b.example", "romeo@b.example", "romeo@b.example/orchard", "rooms.b.example")) {
        guest.send("<iq type='get' id='" + to + "' to='" + to + "'>" + info + "</iq>");
        XmlElement answer = guest.receiveFirst(each -> to.equals(each.attribute("id")));
        assertThat(answer.condition()).as(to).isEqualTo("forbidden");
      }
    }
  }

  /// The proxy of a host is for its own accounts.
  static void bytestreams(Asking asking, ScriptedClient first, ScriptedClient second) {
    String query = "<query xmlns='http://jabber.org/protocol/bytestreams'/>";
    String proxy = "proxy.a.example";
    assertThat(asking.ask(first, "get", proxy, query).toString()).contains("the-secret-of-a");
    assertThat(asking.ask(second, "get", proxy, query).condition()).isEqualTo("forbidden");
  }

  /// Files are taken from accounts of the host only.
  static void uploads(Asking asking, ScriptedClient first, ScriptedClient second) {
    String slot = "<request xmlns='urn:xmpp:http:upload:0' filename='a.txt' size='4'/>";
    String service = "upload.a.example";
    assertThat(asking.ask(first, "get", service, slot).toString()).contains("a.example");
    assertThat(asking.ask(second, "get", service, slot).condition()).isEqualTo("forbidden");
  }

  private IsolationCases() {}

  /// What administrators have done at one host is not found with what was done at another.
  static void audit(AuditStore audit, String secret) {
    long _ =
        audit.append(
            new AuditStore.Event(
                Instant.EPOCH,
                "admin",
                "socket",
                null,
                "account.disable",
                "a.example",
                secret + "@a.example",
                "done",
                null));
    AuditStore.Query all = AuditStore.Query.newest(10);
    assertThat(audit.find(of("a.example", all))).hasSize(1);
    assertThat(audit.find(of("b.example", all))).isEmpty();
  }

  /// What was not delivered to an account of one host is not found for the other's of that name.
  static void journal(JournalStore journal, String secret) {
    Jid one = Jid.of(secret + "@a.example");
    journal.append(
        List.of(new JournalStore.Event(1, "", "home", "reason", null, one, "chat", null, 0, null)));
    assertThat(journal.find(of(one))).hasSize(1);
    assertThat(journal.find(of(Jid.of(secret + "@b.example")))).isEmpty();
  }

  /// Messages of an account of one host are not found for the other's of that name.
  static void traces(TraceStore traces, String secret) {
    Jid one = Jid.of(secret + "@a.example");
    traces.append(
        List.of(new TraceStore.Traced(1, 1, "t", "", null, one, "chat", null)), List.of());
    assertThat(traces.find(traced(one))).hasSize(1);
    assertThat(traces.find(traced(Jid.of(secret + "@b.example")))).isEmpty();
  }

  private static TraceStore.Query traced(Jid address) {
    return new TraceStore.Query(address, null, 0, Long.MAX_VALUE, 10);
  }

  private static JournalStore.Query of(Jid address) {
    return new JournalStore.Query(address, null, null, 0, Long.MAX_VALUE, 10);
  }

  private static AuditStore.Query of(String host, AuditStore.Query all) {
    return new AuditStore.Query(null, null, host, null, null, null, all.before(), all.limit());
  }
}
