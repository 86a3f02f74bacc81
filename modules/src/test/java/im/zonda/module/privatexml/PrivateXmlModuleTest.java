package im.zonda.module.privatexml;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateXmlModuleTest {
  private static final String PREFERENCES =
      "<exodus xmlns='exodus:prefs'><defaultnick>Hamlet</defaultnick></exodus>";

  private final TestContext context = new TestContext().install(new PrivateXmlModule());
  private final TestSession hamlet = context.bind("hamlet@example.org/denmark");

  @Test
  void whatWasSetIsGot() {
    assertThat(set(PREFERENCES)).isEqualTo(IqReply.empty());
    assertThat(get("<exodus xmlns='exodus:prefs'/>")).isEqualTo(query(PREFERENCES));
  }

  @Test
  void whatWasNeverSetIsEmpty() {
    String never = "<storage xmlns='storage:bookmarks'/>";
    assertThat(get(never)).isEqualTo(query(never));
  }

  @Test
  void severalElementsAreKeptByTheirNames() {
    set("<a xmlns='urn:x'>1</a><b xmlns='urn:x'>2</b><a xmlns='urn:x'>3</a><a xmlns='urn:y'/>");
    assertThat(get("<a xmlns='urn:x'/><b xmlns='urn:x'/>"))
        .isEqualTo(query("<a xmlns='urn:x'>1</a><a xmlns='urn:x'>3</a><b xmlns='urn:x'>2</b>"));
    set("<a xmlns='urn:x'>4</a>");
    assertThat(get("<a xmlns='urn:x'/>")).isEqualTo(query("<a xmlns='urn:x'>4</a>"));
    assertThat(get("<b xmlns='urn:x'/>")).isEqualTo(query("<b xmlns='urn:x'>2</b>"));
  }

  @Test
  void aGetNamesOneNamespace() {
    assertThat(condition(get("<a xmlns='urn:x'/><a xmlns='urn:y'/>")))
        .isEqualTo(ErrorCondition.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<none xmlns=''/>",
        "<inherited/>",
        "<vCard xmlns='vcard-temp'><FN>Hamlet</FN></vCard>",
        "<query xmlns='http://jabber.org/protocol/disco#info'/>"
      })
  void anElementNeedsANamespaceOfItsOwn(String content) {
    assertThat(condition(set(content))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(condition(get(content))).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
  }

  @Test
  void row67NobodyReachesTheDataOfOthersAndAllLookAlike() {
    set(PREFERENCES);
    TestSession macbeth = context.bind("macbeth@example.org/scotland");
    for (String type : new String[] {"get", "set"}) {
      assertThat(ask(macbeth, type, "to='hamlet@example.org'", PREFERENCES))
          .isEqualTo(ask(macbeth, type, "to='nobody@example.org'", PREFERENCES))
          .isEqualTo(IqReply.refuse(ErrorCondition.FORBIDDEN));
    }
  }

  @Test
  void row79AnAccountHasAQuotaAndWhatIsThereStays() {
    String text = "x".repeat(200_000);
    int fitting = context.config().limits().privateBytes() / 201_000;
    for (int i = 0; i < fitting; i++) {
      assertThat(set("<a xmlns='urn:x:%d'>%s</a>".formatted(i, text))).isEqualTo(IqReply.empty());
    }
    assertThat(condition(set("<a xmlns='urn:x:more'>" + text + "</a>")))
        .isEqualTo(ErrorCondition.RESOURCE_CONSTRAINT);
    assertThat(set("<a xmlns='urn:x:0'>" + text + "</a>")).isEqualTo(IqReply.empty());
    assertThat(set("<a xmlns='urn:x:0'/>")).isEqualTo(IqReply.empty());
    assertThat(set("<a xmlns='urn:x:more'>" + text + "</a>")).isEqualTo(IqReply.empty());
  }

  @Test
  void row79ManySmallElementsAreNotFree() {
    int refused = 0;
    // Their bytes alone would fit.
    for (int i = 0; i < 4 && refused == 0; i++) {
      int first = i * 2_000;
      String many =
          IntStream.range(first, first + 2_000)
              .mapToObj("<a xmlns='u:%d'/>"::formatted)
              .collect(Collectors.joining());
      if (set(many) instanceof IqReply.Refuse) {
        refused++;
      }
    }
    assertThat(refused).isEqualTo(1);
  }

  @Test
  void row77AHostileNameIsOnlyAName() {
    String hostile = "<a xmlns=\"x'; DROP TABLE accounts; --\">1</a>";
    assertThat(set(hostile)).isEqualTo(IqReply.empty());
    assertThat(get(hostile.replace(">1<", "><"))).isEqualTo(query(hostile));
    assertThat(condition(set("<a xmlns='urn:" + "x".repeat(600) + "'/>")))
        .isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
  }

  private IqReply set(String content) {
    return ask(hamlet, "set", "", content);
  }

  private IqReply get(String content) {
    return ask(hamlet, "get", "", content);
  }

  private IqReply ask(TestSession session, String type, String to, String content) {
    return context.ask(
        session,
        TestXml.iq(
            "<iq type='%s' id='1001' %s><query xmlns='jabber:iq:private'>%s</query></iq>"
                .formatted(type, to, content)));
  }

  private static IqReply query(String content) {
    return IqReply.result(
        TestXml.element("<query xmlns='jabber:iq:private'>%s</query>".formatted(content)));
  }

  private static ErrorCondition condition(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Refuse.class);
    return ((IqReply.Refuse) reply).error().condition();
  }
}
