package im.zonda.module.mam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import org.junit.jupiter.api.Test;

class PreferencesXmlTest {
  private static final Element PREFS =
      TestXml.element(
          "<prefs xmlns='urn:xmpp:mam:2' default='always'><always/>"
              + "<never><jid>a\u0378@example.org</jid></never></prefs>");

  @Test
  void aStoredAddressNeedNotBeValidByTheRulesOfToday() throws Exception {
    assertThat(PreferencesXml.readStored(PREFS).never())
        .containsExactly(Jid.stored("a\u0378@example.org"));
    assertThatThrownBy(() -> PreferencesXml.read(PREFS, 10)).isInstanceOf(RejectedException.class);
  }
}
