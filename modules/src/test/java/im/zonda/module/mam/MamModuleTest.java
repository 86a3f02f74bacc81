package im.zonda.module.mam;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestStanzaIds;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.MessageLog.Keep;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MamModuleTest {
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final TestStanzaIds IDS = new TestStanzaIds();
  private static final QName FIN = new QName(MamModule.NAMESPACE, "fin");
  private static final String RSM = "<set xmlns='http://jabber.org/protocol/rsm'>";

  private final TestContext context = new TestContext();
  private final TestSession juliet;

  MamModuleTest() {
    RosterModule roster = new RosterModule();
    context.install(roster, new MamModule(roster));
    juliet = context.bind("juliet@example.org/chamber");
  }

  private long archive(String with, String body) {
    long id = context.stores().messages().nextId();
    Message message =
        TestXml.message(
            "<message type='chat' from='"
                + with
                + "' to='juliet@example.org'><body>"
                + body
                + "</body></message>");
    context
        .stores()
        .messages()
        .append(new Entry(JULIET, id, Jid.of(with), message), Keep.ARCHIVE, false);
    return id;
  }

  private IqReply ask(String inside) {
    return ask("", inside);
  }

  private IqReply ask(String attributes, String inside) {
    return context.ask(
        juliet,
        TestXml.iq(
            "<iq type='set' id='q1'><query xmlns='urn:xmpp:mam:2' "
                + attributes
                + ">"
                + inside
                + "</query></iq>"));
  }

  private static String form(String... fields) {
    return "<x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'>"
        + "<value>urn:xmpp:mam:2</value></field>"
        + String.join("", fields)
        + "</x>";
  }

  private static String field(String name, String... values) {
    StringBuilder field = new StringBuilder("<field var='" + name + "'>");
    for (String value : values) {
      field.append("<value>").append(value).append("</value>");
    }
    return field.append("</field>").toString();
  }

  private static void assertRefused(IqReply reply, ErrorCondition condition) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            IqReply.Refuse.class,
            refused -> assertThat(refused.error().condition()).isEqualTo(condition));
  }

  private static List<Long> idsOf(List<Stanza> results) {
    return results.stream()
        .map(stanza -> stanza.payload(new QName(MamModule.NAMESPACE, "result")))
        .map(result -> result == null ? "" : String.valueOf(result.attribute("id")))
        .map(id -> IDS.decode(id).orElseThrow())
        .toList();
  }

  private static boolean complete(IqReply reply) {
    Element fin = ((IqReply.Result) reply).payload();
    assertThat(fin).isNotNull();
    return fin != null && fin.name().equals(FIN) && "true".equals(fin.attribute("complete"));
  }

  @Test
  void resultsGoToTheSessionThatAsksAndThenTheEnd() {
    TestSession other = context.bind("juliet@example.org/balcony");
    long id = archive("witch@shakespeare.lit/1", "Hail to thee");
    IqReply reply = ask("queryid='f27'", "");
    Expect.receives(
        juliet,
        "<message from='juliet@example.org' to='juliet@example.org/chamber' id='{any}'>"
            + "<result xmlns='urn:xmpp:mam:2' queryid='f27' id='"
            + IDS.encode(id)
            + "'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'>"
            + "<delay xmlns='urn:xmpp:delay' stamp='1970-01-01T00:00:01.000Z'/>"
            + "<message xmlns='jabber:client' type='chat' from='witch@shakespeare.lit/1'"
            + " to='juliet@example.org'><body>Hail to thee</body></message>"
            + "</forwarded></result></message>");
    Expect.receivesNothing(other);
    Expect.result(
        reply,
        "<fin xmlns='urn:xmpp:mam:2' complete='true'>"
            + RSM
            + "<first>"
            + IDS.encode(id)
            + "</first><last>"
            + IDS.encode(id)
            + "</last></set></fin>");
  }

  @Test
  void anEmptyArchiveIsNoError() {
    Expect.result(
        ask(""),
        "<fin xmlns='urn:xmpp:mam:2' complete='true'>"
            + "<set xmlns='http://jabber.org/protocol/rsm'/></fin>");
    Expect.receivesNothing(juliet);
  }

  @Test
  void aFlippedPageIsTheSamePage() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(archive("romeo@example.net", "" + i));
    }
    IqReply reply = ask(RSM + "<max>3</max></set><flip-page/>");
    assertThat(idsOf(juliet.takeReceived())).containsExactly(ids.get(2), ids.get(1), ids.get(0));
    Expect.result(
        reply,
        "<fin xmlns='urn:xmpp:mam:2'>"
            + RSM
            + "<first>"
            + IDS.encode(ids.get(0))
            + "</first><last>"
            + IDS.encode(ids.get(2))
            + "</last></set></fin>");
  }

  @Test
  void timesAreInclusiveAndIdsAreNot() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(archive("romeo@example.net", "" + i));
    }
    ask(form(field("start", "1970-01-01T00:00:01Z"), field("end", "1970-01-01T00:00:01.000Z")));
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids);
    ask(form(field("start", "1970-01-01T00:00:01.0001Z")));
    assertThat(idsOf(juliet.takeReceived())).isEmpty();
    ask(
        form(
            field("end", "1970-01-01T01:00:01.000+01:00"),
            field("after-id", IDS.encode(ids.get(1)))));
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids.subList(2, 5));
    ask(
        form(
            field("before-id", IDS.encode(ids.get(3))), field("after-id", IDS.encode(ids.get(0)))));
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids.subList(1, 3));
    ask(form(field("ids", IDS.encode(ids.get(4)), IDS.encode(ids.get(1)))));
    assertThat(idsOf(juliet.takeReceived())).containsExactly(ids.get(1), ids.get(4));
    ask(form(field("ids")));
    assertThat(idsOf(juliet.takeReceived())).as("a field that is left empty").isEqualTo(ids);
    ask(form(field("with", ""), field("start"), field("include-groupchat", "true")));
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids);
  }

  @Test
  void theWholeRangeOfTimesIsUnderstood() {
    archive("romeo@example.net", "x");
    for (String time :
        List.of("0000-01-01T00:00:00Z", "-999999999-01-01T00:00:00Z", "1969-12-31T23:59:59.9Z")) {
      ask(form(field("start", time)));
      assertThat(idsOf(juliet.takeReceived())).as(time).hasSize(1);
    }
    ask(form(field("end", "+999999999-12-31T23:59:59.999999999Z")));
    assertThat(idsOf(juliet.takeReceived())).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "1",
        "-1",
        "1'; drop table message; --",
        "01000001",
        " 1 or 1=1",
        "+1000001",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999",
        "1000001.0",
        "&#x661;",
        "sid-",
        "sid-1",
        "SID-LFLT",
        "null"
      })
  void row77_idsThatAreNotThereAreNotFound(String id) {
    archive("romeo@example.net", "x");
    if (!id.isEmpty()) {
      assertRefused(ask(RSM + "<after>" + id + "</after></set>"), ErrorCondition.ITEM_NOT_FOUND);
      assertRefused(ask(RSM + "<before>" + id + "</before></set>"), ErrorCondition.ITEM_NOT_FOUND);
      assertRefused(ask(form(field("before-id", id))), ErrorCondition.ITEM_NOT_FOUND);
      assertRefused(ask(form(field("after-id", id))), ErrorCondition.ITEM_NOT_FOUND);
    }
    assertRefused(ask(form(field("ids", "1000001", id))), ErrorCondition.ITEM_NOT_FOUND);
    Expect.receivesNothing(juliet);
  }

  /// Clients hold the decimal digits that earlier versions assigned.
  @Test
  void cursorsFromEarlierVersionsAreUnderstood() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ids.add(archive("romeo@example.net", "" + i));
    }
    String second = Long.toString(ids.get(1));
    String third = Long.toString(ids.get(2));
    ask(RSM + "<after>" + second + "</after></set>");
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids.subList(2, 4));
    ask(RSM + "<before>" + third + "</before></set>");
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids.subList(0, 2));
    ask(form(field("after-id", second), field("before-id", IDS.encode(ids.get(3)))));
    assertThat(idsOf(juliet.takeReceived())).containsExactly(ids.get(2));
    ask(form(field("ids", second, IDS.encode(ids.get(2)))));
    assertThat(idsOf(juliet.takeReceived())).isEqualTo(ids.subList(1, 3));
  }

  /// Otherwise a client would take it for two messages.
  @Test
  void aMessageHasTheSameIdAsInItsStanzaId() {
    long id = context.stores().messages().nextId();
    Message message =
        TestXml.message(
            "<message type='chat' from='romeo@example.net' to='juliet@example.org'><body>x</body>"
                + "<stanza-id xmlns='urn:xmpp:sid:0' by='juliet@example.org' id='"
                + id
                + "'/></message>");
    context.stores().messages().append(new Entry(JULIET, id, ROMEO, message), Keep.ARCHIVE, false);
    Expect.result(
        ask(""),
        "<fin xmlns='urn:xmpp:mam:2' complete='true'>"
            + RSM
            + ("<first>" + id + "</first><last>" + id + "</last></set></fin>"));
    assertThat(String.valueOf(juliet.takeReceived().getFirst()))
        .contains("<result xmlns='urn:xmpp:mam:2' id='" + id + "'");
  }

  @Test
  void formsThatMakeNoSenseAreRefused() {
    assertRefused(ask(form(field("with", "@"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("start", "yesterday"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("end", "2010-07-07"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("with", "a@b", "c@d"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("with"), field("with"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("include-groupchat", "x"))), ErrorCondition.BAD_REQUEST);
    assertRefused(ask("<x xmlns='jabber:x:data' type='submit'/>"), ErrorCondition.BAD_REQUEST);
    assertRefused(
        ask(
            "<x xmlns='jabber:x:data' type='submit'>"
                + field("FORM_TYPE", "urn:xmpp:mam:1")
                + "</x>"),
        ErrorCondition.BAD_REQUEST);
    assertRefused(ask(form(field("{urn:x}y", "z"))), ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    assertRefused(ask(form(field("{urn:x}y"))), ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    assertRefused(ask("node='x'", ""), ErrorCondition.ITEM_NOT_FOUND);
    assertRefused(ask(RSM + "<max>-1</max></set>"), ErrorCondition.BAD_REQUEST);
    assertRefused(ask(RSM + "<index>0</index></set>"), ErrorCondition.FEATURE_NOT_IMPLEMENTED);
  }

  @Test
  void wordsAreSearchedForIfTheStoreCan() {
    archive("romeo@example.net", "Call me but love");
    long id = archive("romeo@example.net", "Hail to thee");
    String search = form(field("{urn:xmpp:fulltext:0}fulltext", "hail"));
    ask(search);
    assertThat(idsOf(juliet.takeReceived())).containsExactly(id);
    assertThat(context.host().accountFeatures()).contains("urn:xmpp:fulltext:0");
    context.stores().archive().searches(false);
    assertRefused(ask(search), ErrorCondition.FEATURE_NOT_IMPLEMENTED);
  }

  @Test
  void row63_nobodyElseMayAsk() {
    TestSession romeo = context.bind("romeo@example.org/orchard");
    archive("romeo@example.org", "x");
    for (String to : List.of("juliet@example.org", "nobody@example.org")) {
      for (String request :
          List.of(
              "<iq type='set' id='1' to='%s'><query xmlns='urn:xmpp:mam:2'/></iq>",
              "<iq type='get' id='1' to='%s'><query xmlns='urn:xmpp:mam:2'/></iq>",
              "<iq type='get' id='1' to='%s'><metadata xmlns='urn:xmpp:mam:2'/></iq>",
              "<iq type='get' id='1' to='%s'><prefs xmlns='urn:xmpp:mam:2'/></iq>",
              "<iq type='set' id='1' to='%s'><prefs xmlns='urn:xmpp:mam:2' default='never'/></iq>")) {
        assertRefused(
            context.ask(romeo, TestXml.iq(request.replace("%s", to))), ErrorCondition.FORBIDDEN);
      }
    }
    Expect.receivesNothing(romeo);
    Expect.receivesNothing(juliet);
  }

  @Test
  void metadataTellsBothEnds() {
    String metadata = "<iq type='get' id='m'><metadata xmlns='urn:xmpp:mam:2'/></iq>";
    Expect.result(context.ask(juliet, TestXml.iq(metadata)), "<metadata xmlns='urn:xmpp:mam:2'/>");
    long first = archive("romeo@example.net", "x");
    archive("romeo@example.net", "y");
    long last = archive("romeo@example.net", "z");
    Expect.result(
        context.ask(juliet, TestXml.iq(metadata)),
        "<metadata xmlns='urn:xmpp:mam:2'><start id='"
            + IDS.encode(first)
            + "' timestamp='1970-01-01T00:00:01.000Z'/><end id='"
            + IDS.encode(last)
            + "' timestamp='1970-01-01T00:00:01.000Z'/></metadata>");
  }

  @Test
  void whatCannotBeKeptIsNotAdvertised() {
    for (String key : List.of("archive", "durable")) {
      TestContext without = new TestContext();
      without.config(RetentionTest.with(without.config(), key));
      RosterModule roster = new RosterModule();
      without.install(roster, new MamModule(roster));
      assertThat(without.host().accountFeatures()).doesNotContain("urn:xmpp:mam:2");
      assertRefused(
          without.ask(
              without.bind("juliet@example.org/x"),
              TestXml.iq("<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2'/></iq>")),
          ErrorCondition.SERVICE_UNAVAILABLE);
    }
  }

  /// Random archives, paged through in both directions, flipped or not: nothing is missing, nothing
  /// comes twice, and the order is right.
  @Test
  void pagingShowsEverythingOnce() {
    Random random = new Random(313);
    List<Long> all = new ArrayList<>();
    List<Long> ofRomeo = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      for (int i = random.nextInt(5); i > 0; i--) {
        boolean romeo = random.nextBoolean();
        all.add(archive(romeo ? "romeo@example.net/x" : "nurse@example.net", "x"));
        if (romeo) {
          ofRomeo.add(all.getLast());
        }
      }
      boolean backwards = random.nextBoolean();
      boolean flip = random.nextBoolean();
      boolean filtered = random.nextBoolean();
      List<Long> found = new ArrayList<>();
      String end = "";
      boolean complete = false;
      while (!complete) {
        int max = 1 + random.nextInt(40);
        IqReply reply =
            ask(
                (filtered ? form(field("with", "romeo@example.net")) : "")
                    + RSM
                    + "<max>"
                    + max
                    + "</max>"
                    + (backwards ? "<before>" : "<after>")
                    + end
                    + (backwards ? "</before>" : "</after>")
                    + "</set>"
                    + (flip ? "<flip-page/>" : ""));
        List<Long> page = new ArrayList<>(idsOf(juliet.takeReceived()));
        if (flip) {
          page = page.reversed();
        }
        assertThat(page).hasSizeLessThanOrEqualTo(max);
        found.addAll(backwards ? 0 : found.size(), page);
        complete = complete(reply);
        end = page.isEmpty() ? end : IDS.encode(backwards ? page.getFirst() : page.getLast());
      }
      assertThat(found).isEqualTo(filtered ? ofRomeo : all);
    }
  }
}
