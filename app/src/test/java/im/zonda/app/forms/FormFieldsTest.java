package im.zonda.app.forms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.app.status.StatusOperations;
import im.zonda.config.Administration;
import im.zonda.config.ContactAddresses;
import im.zonda.config.PubSub;
import im.zonda.config.Services;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every form that the server sends is one that a strict client accepts, and the server accepts it
/// back as it is.
class FormFieldsTest {
  private static final String ROOM = "coven@rooms.example.org";
  private static final String OWNER =
      "<query xmlns='http://jabber.org/protocol/muc#owner'>%s</query>";
  private static final String MAM = "<query xmlns='urn:xmpp:mam:2'>%s</query>";
  private static final String REGISTER = "<query xmlns='jabber:iq:register'>%s</query>";
  private static final String SEARCH =
      "<search xmlns='urn:xmpp:channel-search:0:search'>%s</search>";
  private static final String HATS = "urn:xmpp:hats:commands";

  private static final ContactAddresses CONTACTS =
      new ContactAddresses(
          List.of(),
          List.of(),
          List.of("mailto:feedback@example.org"),
          List.of("mailto:sales@example.org"),
          List.of(),
          List.of("https://status.example.org"),
          List.of(),
          List.of("https://status.example.org/xmpp.json"));

  private FormRules rules;
  private TestServer server;
  private ScriptedClient crone;
  private ScriptedClient hag;
  private int ids;

  @BeforeEach
  void start() throws IOException {
    rules = new FormRules();
    server =
        ServerPlan.of(StandardModules::create)
            .with("storage.fullText", true)
            .with("registration.enabled", true)
            .with("contact", List.of("mailto:admin@example.org", "xmpp:admin@example.org"))
            .with("services.contacts", CONTACTS)
            .with(
                "services.pubsub", new PubSub("pubsub", PubSub.Creation.ACCOUNTS, List.of(), true))
            .with(
                "services.administration",
                Administration.DEFAULTS.withAdmins(List.of("crone@example.org")))
            .with(
                "services.invitations",
                new Services.Invitations(
                    Inviters.EVERYONE, Inviters.ADMINS, Duration.ofDays(7), "https://x.example/"))
            .startInMemory();
    // Lets commands be offered that stop the server; the test does not submit their forms.
    server
        .server()
        .catalogue()
        .offer(
            StatusOperations.of(
                () -> {
                  throw new IllegalStateException("the test does not ask");
                },
                _ -> {},
                (_, _) -> () -> {}));
    crone = server.connect("crone@example.org/desktop");
    hag = server.connect("hag@example.org/pda");
    crone.send("<presence/>");
    enter(crone, "firstwitch");
    ask(crone, "set", ROOM, OWNER.formatted("<x xmlns='jabber:x:data' type='submit'/>"));
    enter(hag, "thirdwitch");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='"
            + ROOM
            + "/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(
        stanza -> stanza.localName().equals("presence") && stanza.toString().contains("'110'"));
  }

  private XmlElement request(ScriptedClient client, String type, String to, String payload) {
    String id = "i" + ids++;
    client.send("<iq type='" + type + "' id='" + id + "' to='" + to + "'>" + payload + "</iq>");
    return client.receiveFirst(stanza -> id.equals(stanza.attribute("id")));
  }

  /// The result of a request that succeeds.
  private XmlElement ask(ScriptedClient client, String type, String to, String payload) {
    XmlElement answer = request(client, type, to, payload);
    assertThat(answer.attribute("type")).as(answer.toString()).isEqualTo("result");
    return answer;
  }

  /// The form in the payload of an answer, checked.
  private XmlElement form(XmlElement answer) {
    XmlElement form = formOf(answer.children().getFirst());
    rules.check(form);
    return form;
  }

  private static XmlElement formOf(XmlElement payload) {
    return Objects.requireNonNull(payload.child("jabber:x:data", "x"), payload::toString);
  }

  /// Checks the forms in what an address discloses of itself (XEP-0128).
  private void checkDiscovered(String address) {
    ask(crone, "get", address, "<query xmlns='http://jabber.org/protocol/disco#info'/>")
        .children()
        .getFirst()
        .children()
        .stream()
        .filter(child -> child.is("jabber:x:data", "x"))
        .forEach(rules::check);
  }

  private XmlElement formSentTo(ScriptedClient client) {
    XmlElement form =
        Objects.requireNonNull(
            client
                .receiveFirst(stanza -> stanza.child("jabber:x:data", "x") != null)
                .child("jabber:x:data", "x"));
    rules.check(form);
    return form;
  }

  private void configure(String name, String value) {
    ask(
        crone,
        "set",
        ROOM,
        OWNER.formatted(
            "<x xmlns='jabber:x:data' type='submit'><field var='"
                + name
                + "'><value>"
                + value
                + "</value></field></x>"));
  }

  private XmlElement command(String name, String form) {
    return ask(
            crone,
            "set",
            ROOM,
            "<command xmlns='http://jabber.org/protocol/commands' node='"
                + HATS
                + ":"
                + name
                + "'>"
                + form
                + "</command>")
        .children()
        .getFirst();
  }

  private XmlElement commandForm(String name) {
    XmlElement form = formOf(command(name, ""));
    rules.check(form);
    return form;
  }

  private static String hat(String fields) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
        + HATS
        + "</value></field>"
        + fields
        + "</x>";
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  @Test
  void everyFieldIsOfTheTypeThatItsRegistryHas() {
    configuration();
    information();
    account();
    registration();
    voice();
    archives();
    hats();
    form(ask(crone, "get", "rooms.example.org", SEARCH.formatted("")));
    checkDiscovered("example.org");
    administration();
    invitation();
    assertThat(rules.unseen()).as("fields that the server has never sent").isEmpty();
  }

  private void configuration() {
    XmlElement form = form(ask(crone, "get", ROOM, OWNER.formatted("")));
    ask(crone, "set", ROOM, OWNER.formatted(FormRules.submit(form)));
    ask(crone, "set", ROOM, OWNER.formatted(FormRules.submit(form, "muc#roomconfig_roomname")));
    for (String occupants : List.of("7", "none", "1000000")) {
      configure("muc#roomconfig_maxusers", occupants);
      form(ask(crone, "get", ROOM, OWNER.formatted("")));
    }
  }

  private void information() {
    configure("muc#roomconfig_roomdesc", "The place for all good witches!");
    configure("muc#roomconfig_lang", "en");
    configure("muc#roomconfig_publicroom", "1");
    configure("muc#roominfo_contactjid", "crone@example.org");
    configure("muc#roomconfig_pubsub", "xmpp:pubsub.example.org?;node=coven");
    ask(
        crone,
        "set",
        ROOM,
        "<vCard xmlns='vcard-temp'><PHOTO><TYPE>image/png</TYPE><BINVAL>YWJj</BINVAL></PHOTO></vCard>");
    command("create", hat(field("hats#uri", "x:teacher") + field("hats#title", "Teacher")));
    crone.send("<message type='groupchat' to='" + ROOM + "'><subject>Spells</subject></message>");
    form(ask(crone, "get", ROOM, OWNER.formatted("")));
    checkDiscovered(ROOM);
  }

  private void account() {
    try (ScriptedClient stranger = server.open("nurse@example.org/balcony")) {
      XmlElement form = form(ask(stranger, "get", "example.org", REGISTER.formatted("")));
      assertThat(
              request(stranger, "set", "example.org", REGISTER.formatted(FormRules.submit(form)))
                  .condition())
          .isEqualTo("not-acceptable");
      String filled = field("username", "nurse") + field("password", "Calliope");
      ask(
          stranger,
          "set",
          "example.org",
          REGISTER.formatted("<x xmlns='jabber:x:data' type='submit'>" + filled + "</x>"));
    }
  }

  private void registration() {
    configure("muc#roomconfig_moderatedroom", "1");
    XmlElement empty = form(ask(hag, "get", ROOM, REGISTER.formatted("")));
    assertThat(request(hag, "set", ROOM, REGISTER.formatted(FormRules.submit(empty))).condition())
        .isEqualTo("not-acceptable"); // a nickname is what it is for
    String filled =
        "<x xmlns='jabber:x:data' type='submit'>"
            + field("FORM_TYPE", "http://jabber.org/protocol/muc#register")
            + field("muc#register_roomnick", "thirdwitch")
            + "</x>";
    ask(hag, "set", ROOM, REGISTER.formatted(filled));
    XmlElement question = formSentTo(crone);
    crone.send("<message to='" + ROOM + "' id='r'>" + FormRules.submit(question) + "</message>");
  }

  private void invitation() {
    XmlElement answer =
        ask(
            hag,
            "set",
            "example.org",
            "<command xmlns='http://jabber.org/protocol/commands' node='urn:xmpp:invite#invite'/>");
    form(answer);
  }

  private void voice() {
    configure("muc#roomconfig_moderatedroom", "1");
    hag.send("<presence type='unavailable' to='" + ROOM + "/thirdwitch'/>");
    enter(hag, "thirdwitch");
    hag.send(
        "<message to='"
            + ROOM
            + "'><x xmlns='jabber:x:data' type='submit'>"
            + field("FORM_TYPE", "http://jabber.org/protocol/muc#request")
            + field("muc#role", "participant")
            + "</x></message>");
    XmlElement question = formSentTo(crone);
    crone.send("<message to='" + ROOM + "' id='v'>" + FormRules.submit(question) + "</message>");
    crone.fence("after", "example.org");
  }

  private void archives() {
    for (String archive : List.of(ROOM, "crone@example.org")) {
      XmlElement form = form(ask(crone, "get", archive, MAM.formatted("")));
      ask(crone, "set", archive, MAM.formatted(FormRules.submit(form)));
      ask(crone, "set", archive, MAM.formatted(FormRules.submit(form, "with")));
    }
  }

  private void hats() {
    commandForm("create");
    command("create", hat(field("hats#uri", "x:assistant") + field("hats#title", "Teacher")));
    commandForm("assign");
    command("assign", hat(field("hats#uri", "x:assistant") + field("hats#jid", "hag@example.org")));
    commandForm("unassign");
    commandForm("destroy");
    rules.checkTable(HATS, formOf(command("list", "")));
    rules.checkTable(HATS, formOf(command("list-assigned", "")));
  }

  /// Every command of the administrator with its form, submitted as a client does that fills in the
  /// least.
  private void administration() {
    XmlElement list =
        ask(
                crone,
                "get",
                "example.org",
                "<query xmlns='http://jabber.org/protocol/disco#items'"
                    + " node='http://jabber.org/protocol/commands'/>")
            .children()
            .getFirst();
    List<XmlElement> items =
        list.children().stream()
            .filter(item ->
                String.valueOf(item.attribute("node"))
                    .startsWith("http://jabber.org/protocol/admin#"))
            .toList();
    assertThat(items).hasSize(30);
    for (XmlElement item : items) {
      String node = String.valueOf(item.attribute("node"));
      XmlElement command = administer(node, "", "");
      if ("executing".equals(command.attribute("status"))) {
        XmlElement form = formOf(command);
        rules.check(form);
        String session = " sessionid='" + command.attribute("sessionid") + "'";
        String filled = FormRules.submit(form, "FORM_TYPE").replace("</x>", filled(form) + "</x>");
        if (!filled(form).isEmpty()) {
          command = administer(node, session, filled);
        }
      }
      XmlElement result = command.child("jabber:x:data", "x");
      if (result != null) {
        rules.check(result);
      }
    }
  }

  private XmlElement administer(String node, String session, String form) {
    return ask(
            crone,
            "set",
            "example.org",
            "<command xmlns='http://jabber.org/protocol/commands' node='"
                + node
                + "'"
                + session
                + ">"
                + form
                + "</command>")
        .children()
        .getFirst();
  }

  /// What is added to the form of a command that only asks; empty if the form is only looked at.
  private static String filled(XmlElement form) {
    String title = form.childText("title");
    return title.startsWith("Getting")
        ? field("accountjids", "hag@example.org")
        : title.startsWith("Get User")
            ? field("accountjid", "hag@example.org")
            : title.startsWith("Requesting") ? field("max_items", "25") : "";
  }

  @Test
  void aRoomWithoutHatsOffersNoEmptyList() {
    for (String name : List.of("assign", "unassign", "destroy")) {
      XmlElement answer =
          request(
              crone,
              "set",
              ROOM,
              "<command xmlns='http://jabber.org/protocol/commands' node='"
                  + HATS
                  + ":"
                  + name
                  + "'/>");
      XmlElement command = Objects.requireNonNull(answer.child("command"), answer::toString);
      assertThat(command.children()).as(name).hasSize(1);
      assertThat(command.children().getFirst().localName()).as(name).isEqualTo("note");
      assertThat(command.children().getFirst().attribute("type")).as(name).isEqualTo("error");
    }
  }

  @Test
  void anAddressThatIsNoneIsNotTakenForAContact() {
    XmlElement answer =
        request(
            crone,
            "set",
            ROOM,
            OWNER.formatted(
                "<x xmlns='jabber:x:data' type='submit'>"
                    + field("muc#roominfo_contactjid", "call me")
                    + "</x>"));
    assertThat(answer.condition()).isEqualTo("not-acceptable");
  }

  /// Section 3.2.1: neither a word nor all of them is an error of its own.
  @Test
  void aSearchFormIsAcceptedWithAWordInIt() {
    configure("muc#roomconfig_publicroom", "1");
    XmlElement form = form(ask(crone, "get", "rooms.example.org", SEARCH.formatted("")));
    XmlElement unchanged =
        request(crone, "get", "rooms.example.org", SEARCH.formatted(FormRules.submit(form)));
    assertThat(unchanged.condition()).isEqualTo("bad-request");
    String some =
        FormRules.submit(form, "types", "key").replace("</x>", field("q", "coven") + "</x>");
    XmlElement found = ask(crone, "get", "rooms.example.org", SEARCH.formatted(some));
    assertThat(found.children().getFirst().child("item")).isNotNull();
  }
}
