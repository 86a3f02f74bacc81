package im.zonda.module.pubsub.request;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.testing.TestXml;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocialFeedTest {
  private static final NodeConfig USUAL = NodeConfig.ofServices();
  private static final String GALLERY = "urn:xmpp:pubsub-social-feed:gallery:1";

  private static DataForm form(String field, String value) {
    return DataForm.builder("submit", "x").text(field, "", value).build();
  }

  @Test
  void onlyTheTypesOfProfilesHaveOtherDefaults() {
    assertThat(SocialFeed.defaults(USUAL, null)).isEqualTo(USUAL);
    assertThat(SocialFeed.defaults(USUAL, form("pubsub#title", GALLERY))).isEqualTo(USUAL);
    assertThat(SocialFeed.defaults(USUAL, form("pubsub#type", "urn:x"))).isEqualTo(USUAL);
    for (String type : List.of("urn:xmpp:pubsub-social-feed:1", GALLERY, "urn:xmpp:microblog:0")) {
      NodeConfig config = SocialFeed.defaults(USUAL, form("pubsub#type", type));
      assertThat(config.value(NodeOption.MAX_ITEMS)).isEqualTo("max");
      assertThat(config.value(NodeOption.SEND_LAST_PUBLISHED_ITEM)).isEqualTo("never");
      assertThat(config.isOn(NodeOption.DELIVER_PAYLOADS)).isFalse();
      assertThat(config.isOn(NodeOption.NOTIFY_RETRACT)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, enclosure, image/png, http://x",
    "false, enclosure, text/plain, http://x",
    "false, alternate, image/png, http://x"
  })
  void aPostInAGalleryHasAPicture(boolean accepted, String rel, String type, String href) {
    NodeConfig config = Objects.requireNonNull(USUAL.with(NodeOption.TYPE, List.of(GALLERY)));
    Jid romeo = Jid.of("romeo@example.org");
    Node gallery = Node.create("photos", romeo, Instant.EPOCH, config);
    Node other = Node.create("notes", romeo, Instant.EPOCH, USUAL);
    String link = "<link rel='" + rel + "' type='" + type + "' href='" + href + "'/>";
    String post = "<entry xmlns='http://www.w3.org/2005/Atom'><title>x</title>" + link + "</entry>";
    assertThat(SocialFeed.accepts(gallery, TestXml.element(post))).isEqualTo(accepted);
    assertThat(SocialFeed.accepts(other, TestXml.element(post))).isTrue();
    assertThat(SocialFeed.accepts(gallery, TestXml.element("<feed xmlns='urn:x'/>"))).isTrue();
  }
}
