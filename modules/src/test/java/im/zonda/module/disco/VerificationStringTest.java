package im.zonda.module.disco;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import org.junit.jupiter.api.Test;

/// The vectors of XEP-0115, section 5, and what they leave open.
class VerificationStringTest {
  private static final String FEATURES =
      "<feature var='http://jabber.org/protocol/disco#info'/>"
          + "<feature var='http://jabber.org/protocol/muc'/>"
          + "<feature var='http://jabber.org/protocol/caps'/>"
          + "<feature var='http://jabber.org/protocol/disco#items'/>";

  private static final String SOFTWARE =
      "<field var='software_version'><value>0.11</value></field>"
          + "<field var='os'><value>Mac</value></field>"
          + "<field var='ip_version' type='text-multi'>"
          + "<value>ipv6</value><value>ipv4</value></field>"
          + "<field var='software'><value>Psi</value></field>"
          + "<field var='os_version'><value>10.5.1</value></field>";

  @Test
  void theSimpleExampleOfTheXep() {
    assertThat(of("<identity category='client' type='pc' name='Exodus 0.9.1'/>" + FEATURES))
        .isEqualTo("QgayPKawpkPSDYmwT/WM94uAlu0=");
  }

  @Test
  void theComplexExampleOfTheXepInAnotherOrder() {
    assertThat(
            of(
                "<identity xml:lang='en' category='client' name='Psi 0.11' type='pc'/>"
                    + form("<field var='FORM_TYPE' type='hidden'>", SOFTWARE)
                    + FEATURES
                    + "<identity xml:lang='el' category='client' name='\u03a8 0.11' type='pc'/>"))
        .isEqualTo("q07IKJEyjvHSyhy//CH0CxmKi8w=");
  }

  @Test
  void aFormWithoutAHiddenTypeDoesNotCount() {
    String identity = "<identity category='client' type='pc' name='Exodus 0.9.1'/>";
    assertThat(of(identity + FEATURES + form("<field var='FORM_TYPE'>", SOFTWARE)))
        .isEqualTo(of(identity + FEATURES));
  }

  @Test
  void textIsSortedByItsBytesNotByJavaCharacters() {
    // U+FF41 comes before U+1F600 as UTF-8 and after it as UTF-16.
    String sorted = "<feature var='\uff41'/><feature var='\ud83d\ude00'/>";
    String other = "<feature var='\ud83d\ude00'/><feature var='\uff41'/>";
    assertThat(of("<identity category='a' type='b'/>" + sorted))
        .isEqualTo(of("<identity category='a' type='b'/>" + other))
        .isEqualTo("wQBir8UlWlqxS8ZnLBJd/gLcFoY=");
  }

  private static String form(String type, String fields) {
    return "<x xmlns='jabber:x:data' type='result'>"
        + fields
        + type
        + "<value>urn:xmpp:dataforms:softwareinfo</value></field></x>";
  }

  private static String of(String content) {
    return VerificationString.of(
        TestXml.element(
            "<query xmlns='http://jabber.org/protocol/disco#info'>" + content + "</query>"));
  }
}
