package im.zonda.module.disco;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilityHashTest {
  /// XEP-0390, section 4.5.1.
  private static final String SIMPLE =
      "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='client'"
          + " name='BombusMod' type='mobile'/><feature var='http://jabber.org/protocol/si'/><"
          + "feature var='http://jabber.org/protocol/bytestreams'/><feature var='http://jabbe"
          + "r.org/protocol/chatstates'/><feature var='http://jabber.org/protocol/disco#info'"
          + "/><feature var='http://jabber.org/protocol/disco#items'/><feature var='urn:xmpp:"
          + "ping'/><feature var='jabber:iq:time'/><feature var='jabber:iq:privacy'/><feature"
          + " var='jabber:iq:version'/><feature var='http://jabber.org/protocol/rosterx'/><fe"
          + "ature var='urn:xmpp:time'/><feature var='jabber:x:oob'/><feature var='http://jab"
          + "ber.org/protocol/ibb'/><feature var='http://jabber.org/protocol/si/profile/file-"
          + "transfer'/><feature var='urn:xmpp:receipts'/><feature var='jabber:iq:roster'/><f"
          + "eature var='jabber:iq:last'/></query>";

  /// Section 4.5.2.
  private static final String COMPLEX =
      "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='client'"
          + " name='Tkabber' type='pc' xml:lang='en'/><identity category='client' name='Ткабб"
          + "ер' type='pc' xml:lang='ru'/><feature var='games:board'/><feature var='http://ja"
          + "bber.org/protocol/activity'/><feature var='http://jabber.org/protocol/activity+n"
          + "otify'/><feature var='http://jabber.org/protocol/bytestreams'/><feature var='htt"
          + "p://jabber.org/protocol/chatstates'/><feature var='http://jabber.org/protocol/co"
          + "mmands'/><feature var='http://jabber.org/protocol/disco#info'/><feature var='htt"
          + "p://jabber.org/protocol/disco#items'/><feature var='http://jabber.org/protocol/e"
          + "vil'/><feature var='http://jabber.org/protocol/feature-neg'/><feature var='http:"
          + "//jabber.org/protocol/geoloc'/><feature var='http://jabber.org/protocol/geoloc+n"
          + "otify'/><feature var='http://jabber.org/protocol/ibb'/><feature var='http://jabb"
          + "er.org/protocol/iqibb'/><feature var='http://jabber.org/protocol/mood'/><feature"
          + " var='http://jabber.org/protocol/mood+notify'/><feature var='http://jabber.org/p"
          + "rotocol/rosterx'/><feature var='http://jabber.org/protocol/si'/><feature var='ht"
          + "tp://jabber.org/protocol/si/profile/file-transfer'/><feature var='http://jabber."
          + "org/protocol/tune'/><feature var='http://www.facebook.com/xmpp/messages'/><featu"
          + "re var='http://www.xmpp.org/extensions/xep-0084.html#ns-metadata+notify'/><featu"
          + "re var='jabber:iq:avatar'/><feature var='jabber:iq:browse'/><feature var='jabber"
          + ":iq:dtcp'/><feature var='jabber:iq:filexfer'/><feature var='jabber:iq:ibb'/><fea"
          + "ture var='jabber:iq:inband'/><feature var='jabber:iq:jidlink'/><feature var='jab"
          + "ber:iq:last'/><feature var='jabber:iq:oob'/><feature var='jabber:iq:privacy'/><f"
          + "eature var='jabber:iq:roster'/><feature var='jabber:iq:time'/><feature var='jabb"
          + "er:iq:version'/><feature var='jabber:x:data'/><feature var='jabber:x:event'/><fe"
          + "ature var='jabber:x:oob'/><feature var='urn:xmpp:avatar:metadata+notify'/><featu"
          + "re var='urn:xmpp:ping'/><feature var='urn:xmpp:receipts'/><feature var='urn:xmpp"
          + ":time'/><x xmlns='jabber:x:data' type='result'><field type='hidden' var='FORM_TY"
          + "PE'><value>urn:xmpp:dataforms:softwareinfo</value></field><field var='software'>"
          + "<value>Tkabber</value></field><field var='software_version'><value>0.11.1-svn-20"
          + "111216-mod (Tcl/Tk 8.6b2)</value></field><field var='os'><value>Windows</value><"
          + "/field><field var='os_version'><value>XP</value></field></x></query>";

  private static String hash(String info, String algorithm) {
    return String.valueOf(CapabilityHash.of(TestXml.element(info), algorithm));
  }

  @Test
  void theExamplesHaveTheirHashes() {
    assertThat(hash(SIMPLE, "sha-256")).isEqualTo("kzBZbkqJ3ADrj7v08reD1qcWUwNGHaidNUgD7nHpiw8=");
    assertThat(hash(SIMPLE, "sha3-256")).isEqualTo("79mdYAfU9rEdTOcWDO7UEAt6E56SUzk/g6TnqUeuD9Q=");
    assertThat(hash(COMPLEX, "sha-256")).isEqualTo("u79ZroNJbdSWhdSp311mddz44oHHPsEBntQ5b1jqBSY=");
    assertThat(hash(COMPLEX, "sha3-256")).isEqualTo("XpUJzLAc93258sMECZ3FJpebkzuyNXDzRNwQog8eycg=");
  }

  @Test
  void onlyTheRightHashIsVerified() {
    Element info = TestXml.element(SIMPLE);
    String hash = hash(SIMPLE, "sha-256");
    assertThat(CapabilityHash.verify(info, "sha-256", hash)).isTrue();
    assertThat(CapabilityHash.verify(info, "sha-512", hash)).isFalse();
    assertThat(CapabilityHash.verify(info, "md5", hash)).isFalse();
    Element more = TestXml.element(SIMPLE.replace("</query>", "<feature var='x'/></query>"));
    assertThat(CapabilityHash.verify(more, "sha-256", hash)).isFalse();
  }

  /// Section 4.1: what is not allowed has no hash.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<other xmlns='urn:x'/>",
        "<x xmlns='jabber:x:data' type='result'><field var='a'><value>b</value></field></x>",
        "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
            + "<value>urn:x</value></field><reported/></x>",
        "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
            + "<value>urn:x</value></field><item/></x>"
      })
  void whatIsNotAllowedHasNoHash(String child) {
    assertThat(
            CapabilityHash.of(
                TestXml.element(SIMPLE.replace("</query>", child + "</query>")), "sha-256"))
        .isNull();
  }
}
