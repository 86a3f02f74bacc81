package im.zonda.module.roster;

import static im.zonda.module.testing.TestXml.iq;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHome;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// RFC 6121, section 2.6.
class RosterVersionsTest {
  private static final String GET = "<iq type='get' id='g'><query xmlns='jabber:iq:roster'/></iq>";

  private final TestContext context = new TestContext();
  private final TestSession garden;
  private final TestHome romeo;

  RosterVersionsTest() {
    context.install(new RosterModule());
    garden = context.bind("romeo@example.org/garden");
    romeo = context.home(garden.jid());
  }

  private static String get(String version) {
    return "<iq type='get' id='g'><query xmlns='jabber:iq:roster' ver='" + version + "'/></iq>";
  }

  private static Iq set(String items) {
    return iq("<iq type='set' id='s'><query xmlns='jabber:iq:roster'>" + items + "</query></iq>");
  }

  private static @Nullable Element payload(IqReply reply) {
    return ((IqReply.Result) reply).payload();
  }

  @Test
  void section2_6_1_versioningIsAStreamFeature() {
    assertThat(context.host().streamFeatures())
        .containsExactly(TestXml.element("<ver xmlns='urn:xmpp:features:rosterver'/>"));
  }

  @Test
  void section2_6_2_theCurrentVersionGetsAnEmptyResultAndOthersTheWholeRoster() {
    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    IqReply first = context.ask(garden, iq(get("")));
    Expect.result(
        first,
        "<query xmlns='jabber:iq:roster' ver='{any}'>"
            + "<item jid='nurse@example.org' subscription='none'/></query>");
    String version =
        Objects.requireNonNull(
            Objects.requireNonNull(((IqReply.Result) first).payload()).attribute("ver"));

    assertThat(context.ask(garden, iq(get(version)))).isEqualTo(IqReply.empty());

    context.ask(garden, set("<item jid='nurse@example.org' name='N'/>"));
    assertThat(context.ask(garden, iq(get(version)))).isNotEqualTo(IqReply.empty());
  }

  @Test
  void section2_6_aVersionOfAnAccountThatWasMadeAnewIsNotTaken() {
    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    Element old = Objects.requireNonNull(payload(context.ask(garden, iq(get("")))));
    context.stores().accounts().remove(romeo.jid());
    context.forget(romeo.jid());

    TestSession again = context.bind("romeo@example.org/garden");
    context.ask(again, set("<item jid='tybalt@example.org'/>"));

    Expect.result(
        context.ask(again, iq(get(Objects.requireNonNull(old.attribute("ver"))))),
        "<query xmlns='jabber:iq:roster' ver='{any}'>"
            + "<item jid='tybalt@example.org' subscription='none'/></query>");
  }

  @Test
  void section2_6_3_aPushNamesTheVersionThatTheNextGetKnows() {
    context.ask(garden, iq(get("")));
    context.ask(garden, set("<item jid='nurse@example.org'/>"));

    Iq push = (Iq) garden.takeReceived().getFirst();
    String version =
        Objects.requireNonNull(Objects.requireNonNull(push.payload()).attribute("ver"));
    assertThat(context.ask(garden, iq(get(version)))).isEqualTo(IqReply.empty());
  }

  @Test
  void section2_6_clientsThatNameNoVersionAreToldTheVersion() {
    IqReply reply = context.ask(garden, iq(GET));
    String first =
        Objects.requireNonNull(
            Objects.requireNonNull(((IqReply.Result) reply).payload()).attribute("ver"));
    assertThat(context.ask(garden, iq(get(first)))).isEqualTo(IqReply.empty());
    context.ask(garden, iq(GET));
    context.ask(garden, set("<item jid='nurse@example.org'/>"));
    Iq push = (Iq) garden.takeReceived().getFirst();
    assertThat(Objects.requireNonNull(push.payload()).attribute("ver")).isNotEqualTo(first);
  }
}
