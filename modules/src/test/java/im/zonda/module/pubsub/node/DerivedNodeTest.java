package im.zonda.module.pubsub.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivedNodeTest {
  private static final Jid JULIET = Jid.of("juliet@capulet.lit");
  private static final Jid ROMEO = Jid.of("romeo@montague.lit");
  private static final String PREFIX =
      "urn:xmpp:pubsub-attachments:1/xmpp:juliet@capulet.lit?;node=";

  @Test
  void theNameIsThatOfTheExample() {
    String name = PREFIX + "urn%3Axmpp%3Amicroblog%3A0;item=balcony-restoration-afd1";
    DerivedNode node = new DerivedNode("urn:xmpp:microblog:0", "balcony-restoration-afd1");
    assertThat(node.name(JULIET)).isEqualTo(name);
    assertThat(DerivedNode.of(name, JULIET)).isEqualTo(node);
    assertThat(node.summary().name(JULIET))
        .isEqualTo("urn:xmpp:pubsub-attachments:summary:1/urn:xmpp:microblog:0");
    assertThat(DerivedNode.of(node.summary().name(JULIET), JULIET)).isEqualTo(node.summary());
  }

  @ParameterizedTest
  @CsvSource({"a b, x;y", "a+b*c~d, 100%", "ä/ö?, item=1;item=2", "n, ü"})
  void everyNameCanBeRead(String target, String item) {
    DerivedNode node = new DerivedNode(target, item);
    assertThat(node.name(JULIET)).matches("[\\x21-\\x7e]+");
    assertThat(DerivedNode.of(node.name(JULIET), JULIET)).isEqualTo(node);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:xmpp:microblog:0",
        "urn:xmpp:pubsub-attachments:1/x",
        "urn:xmpp:pubsub-attachments:1/xmpp:romeo@montague.lit?;node=n;item=i",
        PREFIX + "n",
        PREFIX + "urn:xmpp:microblog:0;item=i",
        PREFIX + "n;item=%zz",
        PREFIX + "n;item=a%2Fb%20c d",
        PREFIX + ";item=i",
        PREFIX + "urn%3Axmpp%3Apubsub-attachments%3A1%2Fx;item=i",
        "urn:xmpp:pubsub-attachments:summary:1/",
        "urn:xmpp:pubsub-attachments:summary:1/urn:xmpp:pubsub-attachments:summary:1/n",
      })
  void otherNamesAreOfNoDerivedNode(String name) {
    assertThat(DerivedNode.of(name, JULIET)).isNull();
  }

  @Test
  void accessIsThatOfTheTarget() {
    NodeConfig defaults = NodeConfig.ofAccounts();
    NodeConfig open =
        Objects.requireNonNull(defaults.with(NodeOption.PUBLISH_MODEL, List.of("open")));
    Node target =
        Objects.requireNonNull(
            Node.create("n", JULIET, Instant.EPOCH, open)
                .withAffiliation(ROMEO, Affiliation.OUTCAST));
    Node stored = Node.create("attachments", ROMEO, Instant.EPOCH, defaults);
    Node derived = DerivedNode.derive(stored, target);
    assertThat(derived.affiliations())
        .isEqualTo(Map.of(JULIET, Affiliation.OWNER, ROMEO, Affiliation.OUTCAST));
    assertThat(DerivedNode.haveSameAccess(derived.config(), target.config())).isTrue();
    assertThat(DerivedNode.haveSameAccess(stored.config(), target.config())).isFalse();
    assertThat(derived.config().value(NodeOption.MAX_ITEMS)).isEqualTo(NodeConfig.MAX);
    assertThat(derived.mayPublish(ROMEO)).isFalse();
  }

  @Test
  void derivedNodesAreNotListed() {
    NodeConfig open =
        Objects.requireNonNull(
            NodeConfig.ofAccounts().with(NodeOption.ACCESS_MODEL, List.of("open")));
    assertThat(Node.create("n", JULIET, Instant.EPOCH, open).isListed()).isTrue();
    String name = new DerivedNode("n", "i").name(JULIET);
    assertThat(Node.create(name, JULIET, Instant.EPOCH, open).isListed()).isFalse();
  }
}
