package im.zonda.module.pubsub.owner;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.Expect;
import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShimHeadersTest {
  @Test
  void theHeadersThatAreSentAreThoseThatAreAdvertised() {
    Element headers =
        ShimHeaders.with(ShimHeaders.ofCollection("blogs"), List.of("123-abc", "004-yyy"));
    assertThat(
            Expect.matches(
                TestXml.element(
                    "<headers xmlns='http://jabber.org/protocol/shim'>"
                        + "<header name='Collection'>blogs</header>"
                        + "<header name='SubID'>123-abc</header>"
                        + "<header name='SubID'>004-yyy</header></headers>"),
                headers))
        .isTrue();
    Expect.result(
        ShimHeaders.info("service", true),
        "<query xmlns='http://jabber.org/protocol/disco#info'"
            + " node='http://jabber.org/protocol/shim'>"
            + "<identity category='pubsub' type='service'/>"
            + "<feature var='http://jabber.org/protocol/shim#Collection'/>"
            + "<feature var='http://jabber.org/protocol/shim#SubID'/></query>");
    Expect.result(
        ShimHeaders.info("pep", false),
        "<query xmlns='http://jabber.org/protocol/disco#info'"
            + " node='http://jabber.org/protocol/shim'>"
            + "<identity category='pubsub' type='pep'/>"
            + "<feature var='http://jabber.org/protocol/shim#SubID'/></query>");
  }
}
