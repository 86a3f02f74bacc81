package im.zonda.module.mam;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestStanzaIds;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What is different when a room owns the archive. The rest is in [MamModuleTest].
class ArchiveQueriesTest {
  private static final Jid COVEN = Jid.of("coven@rooms.example.org");
  private static final TestStanzaIds IDS = new TestStanzaIds();
  private static final String CRONE = "coven@rooms.example.org/crone";
  private static final String HAG = "coven@rooms.example.org/hag";

  private final TestContext context = new TestContext();
  private final ArchiveQueries queries = ArchiveQueries.ofRooms(context);

  private long said(String occupant, String body) {
    long id = context.stores().messages().nextId();
    Message message =
        TestXml.message(
            "<message type='groupchat' id='s1' from='"
                + occupant
                + "'><body>"
                + body
                + "</body></message>");
    context
        .stores()
        .messages()
        .append(new Entry(COVEN, id, Jid.of(occupant), message), Keep.ARCHIVE, false);
    return id;
  }

  private IqReply ask(String inside) {
    Iq query =
        TestXml.iq(
            "<iq type='set' id='q1' from='wiccarocks@example.net/laptop'"
                + " to='coven@rooms.example.org'><query xmlns='urn:xmpp:mam:2' queryid='g27'>"
                + inside
                + "</query></iq>");
    return queries.page(COVEN, query, ArchiveQueriesTest::marked, context::send);
  }

  private static String with(String address) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>urn:xmpp:mam:2"
        + "</value></field><field var='with'><value>"
        + address
        + "</value></field></x>";
  }

  private static Message marked(Entry entry) {
    return entry
        .message()
        .withPayload(Element.builder("urn:test", "seen").attribute("id", "" + entry.id()).build());
  }

  private List<String> ids() {
    return context.takeSent().stream()
        .map(message -> message.payload(new QName("urn:xmpp:mam:2", "result")))
        .map(result -> Objects.requireNonNull(result).attribute("id"))
        .toList();
  }

  private static void assertRefused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused -> assertThat(refused.error().condition()).isEqualTo(condition));
  }

  @Test
  void entriesComeFromTheRoomToTheOneWhoAsksAsTheRoomShowsThem() {
    long id = said(CRONE, "Thrice the brinded cat hath mew'd.");
    IqReply reply = ask("");
    Expect.sent(
        context,
        "<message from='coven@rooms.example.org' to='wiccarocks@example.net/laptop' id='{any}'>"
            + "<result xmlns='urn:xmpp:mam:2' queryid='g27' id='"
            + IDS.encode(id)
            + "'><forwarded xmlns='urn:xmpp:forward:0'>"
            + "<delay xmlns='urn:xmpp:delay' stamp='1970-01-01T00:00:01.000Z'/>"
            + "<message xmlns='jabber:client' type='groupchat' from='coven@rooms.example.org/crone'"
            + " id='s1'><body>Thrice the brinded cat hath mew'd.</body><seen xmlns='urn:test' id='"
            + id
            + "'/></message></forwarded></result></message>");
    Expect.result(
        reply,
        "<fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'>"
            + "<first>"
            + IDS.encode(id)
            + "</first><last>"
            + IDS.encode(id)
            + "</last></set></fin>");
  }

  @Test
  void withIsAnOccupant() {
    long crone = said(CRONE, "Thrice the brinded cat hath mew'd.");
    long hag = said(HAG, "Harpier cries");
    ask(with(CRONE));
    assertThat(ids()).containsExactly(IDS.encode(crone));
    ask(with(COVEN.toString()));
    assertThat(ids()).containsExactly(IDS.encode(crone), IDS.encode(hag));
    ask(with("wiccarocks@example.net"));
    assertThat(ids()).isEmpty();
  }

  @Test
  void nobodyNeedSayThatMessagesOfTheRoomAreWanted() {
    String field = "<field var='include-groupchat'><value>false</value></field></x>";
    assertRefused(ask(with(CRONE).replace("</x>", field)), ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    assertThat(queries.form().toString()).contains("after-id").doesNotContain("include-groupchat");
    assertThat(queries.features())
        .containsExactly(
            "urn:xmpp:mam:2",
            "urn:xmpp:mam:2#extended",
            "urn:xmpp:order-by:1",
            "urn:xmpp:order-by:1@urn:xmpp:mam:2",
            "urn:xmpp:fulltext:0",
            "http://jabber.org/protocol/rsm");
  }

  @Test
  void metadataIsOfTheRoom() {
    Expect.result(queries.metadata(COVEN), "<metadata xmlns='urn:xmpp:mam:2'/>");
    long id = said(CRONE, "Thrice the brinded cat hath mew'd.");
    String stamp = "' timestamp='1970-01-01T00:00:01.000Z'/>";
    Expect.result(
        queries.metadata(COVEN),
        "<metadata xmlns='urn:xmpp:mam:2'><start id='"
            + IDS.encode(id)
            + stamp
            + "<end id='"
            + IDS.encode(id)
            + stamp
            + "</metadata>");
  }

  @Test
  void theNewestMessageMayComeFirst() {
    String one = IDS.encode(said(CRONE, "One"));
    String two = IDS.encode(said(CRONE, "Two"));
    String three = IDS.encode(said(CRONE, "Three"));
    String descending = "<order xmlns='urn:xmpp:order-by:1' by='creation' desc='true'/>";
    Expect.result(
        ask(descending + "<set xmlns='http://jabber.org/protocol/rsm'><max>2</max></set>"),
        "<fin xmlns='urn:xmpp:mam:2'><set xmlns='http://jabber.org/protocol/rsm'><first>"
            + three
            + "</first><last>"
            + two
            + "</last></set></fin>");
    assertThat(ids()).containsExactly(three, two);
    Expect.result(
        ask(
            descending
                + "<set xmlns='http://jabber.org/protocol/rsm'><max>2</max><after>"
                + two
                + "</after></set>"),
        "<fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'>"
            + "<first>"
            + one
            + "</first><last>"
            + one
            + "</last></set></fin>");
    assertThat(ids()).containsExactly(one);
    ask(
        descending
            + "<set xmlns='http://jabber.org/protocol/rsm'><before>"
            + one
            + "</before></set>");
    assertThat(ids()).containsExactly(three, two);
    ask(descending + "<flip-page xmlns='urn:xmpp:mam:2'/>");
    assertThat(ids()).containsExactly(one, two, three);
    ask("<order xmlns='urn:xmpp:order-by:1' by='modification'/>");
    assertThat(ids()).containsExactly(one, two, three);
    assertRefused(
        ask("<order xmlns='urn:xmpp:order-by:1' by='size'/>"),
        ErrorCondition.FEATURE_NOT_IMPLEMENTED);
  }

  /// Each result of a page repeats it.
  @Test
  void row36_aLongQueryIdIsRejected() {
    said("coven@rooms.example.org/hecate", "x");
    for (int length : new int[] {QueryIds.MAX_LENGTH, QueryIds.MAX_LENGTH + 1}) {
      Iq query =
          TestXml.iq(
              "<iq type='set' id='q1' from='wiccarocks@example.net/laptop'"
                  + " to='coven@rooms.example.org'><query xmlns='urn:xmpp:mam:2' queryid='"
                  + "q".repeat(length)
                  + "'/></iq>");
      IqReply reply = queries.page(COVEN, query, Entry::message, context::send);
      IqReply ofNode =
          NodeArchiveQueries.page(
              Objects.requireNonNull(query.payload()),
              1,
              wanted -> new NodeArchiveQueries.Page(List.of(), true),
              result -> {});
      if (length > QueryIds.MAX_LENGTH) {
        assertRefused(reply, ErrorCondition.NOT_ACCEPTABLE);
        assertRefused(ofNode, ErrorCondition.NOT_ACCEPTABLE);
        assertThat(context.takeSent()).isEmpty();
      } else {
        assertThat(reply).isInstanceOf(IqReply.Result.class);
        assertThat(ofNode).isInstanceOf(IqReply.Result.class);
        assertThat(context.takeSent()).hasSize(1);
      }
    }
  }
}
