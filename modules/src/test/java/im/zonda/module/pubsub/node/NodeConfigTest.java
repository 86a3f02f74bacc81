package im.zonda.module.pubsub.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigTest {
  private static final NodeConfig DEFAULTS = NodeConfig.ofAccounts();

  @Test
  void everyOptionHasAValueInItsNormalForm() {
    for (NodeOption option : NodeOption.values()) {
      assertThat(DEFAULTS.values()).containsKey(option);
      assertThat(DEFAULTS.with(option, DEFAULTS.all(option)))
          .as(option.field())
          .isEqualTo(DEFAULTS);
      assertThat(DEFAULTS.has(option, DEFAULTS.all(option))).as(option.field()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PERSIST_ITEMS, true, 1",
    "PERSIST_ITEMS, false, 0",
    "PERSIST_ITEMS, yes, ",
    "MAX_ITEMS, 010, 10",
    "MAX_ITEMS, max, max",
    "MAX_ITEMS, 0, ",
    "MAX_ITEMS, -1, ",
    "MAX_ITEMS, 99999999999999999999, ",
    "ACCESS_MODEL, whitelist, whitelist",
    "ACCESS_MODEL, none, ",
    "NODE_TYPE, collection, collection",
    "NODE_TYPE, tree, ",
    "CONTACT, Bard@Example.org, bard@example.org",
    "CONTACT, @, ",
    "TEMPSUB, false, 0",
    "TEMPSUB, true, 1",
    "ITEM_EXPIRE, 604800, 604800",
  })
  void values(NodeOption option, String submitted, String expected) {
    NodeConfig config = DEFAULTS.with(option, List.of(submitted));
    assertThat(config == null ? null : config.value(option)).isEqualTo(expected);
  }

  @Test
  void whatIsStoredIsReadAgain() {
    List<String> texts =
        List.of("", "a", "a=b", "line\nbreak\r\n", "\\n", "\\", "pubsub#title=x", "\ud83d\ude80");
    List<NodeOption> options = List.of(NodeOption.values());
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      NodeConfig config = DEFAULTS;
      for (int i = 0; i < 6; i++) {
        NodeOption option = options.get(random.nextInt(options.size()));
        List<String> values = new ArrayList<>();
        for (int n = random.nextInt(3); n > 0; n--) {
          values.add(
              option.choices().isEmpty()
                  ? texts.get(random.nextInt(texts.size()))
                  : option.choices().get(random.nextInt(option.choices().size())));
        }
        NodeConfig changed = config.with(option, values);
        config = changed == null ? config : changed;
      }
      assertThat(NodeConfig.of(config.differences(DEFAULTS), DEFAULTS)).isEqualTo(config);
    }
    assertThat(DEFAULTS.differences(DEFAULTS)).isEmpty();
    assertThat(NodeConfig.of("pubsub#later=1\nnonsense\n", DEFAULTS)).isEqualTo(DEFAULTS);
  }

  /// At accounts presence decides on delivery, and there are no collections.
  @ParameterizedTest
  @CsvSource({
    "PRESENCE_BASED_DELIVERY, 1, true, true",
    "PRESENCE_BASED_DELIVERY, 0, false, true",
    "TEMPSUB, 1, false, true",
    "PURGE_OFFLINE, 1, true, true",
    "NODE_TYPE, collection, false, true",
    "CHILDREN_MAX, 5, false, true",
    "ACCESS_MODEL, roster, true, true",
    "ROSTER_GROUPS_ALLOWED, Friends, true, true",
    "SEND_LAST_PUBLISHED_ITEM, on_sub_and_presence, true, true"
  })
  void whatPlacesAllow(NodeOption option, String value, boolean account, boolean service) {
    assertThat(NodePlace.ACCOUNT.allows(option, List.of(value))).isEqualTo(account);
    assertThat(NodePlace.SERVICE.allows(option, List.of(value))).isEqualTo(service);
  }

  @Test
  void numbersAreBoundByTheServer() {
    NodeConfig many = Objects.requireNonNull(DEFAULTS.with(NodeOption.MAX_ITEMS, List.of("500")));
    assertThat(many.number(NodeOption.MAX_ITEMS, 1_000)).isEqualTo(500);
    assertThat(many.number(NodeOption.MAX_ITEMS, 100)).isEqualTo(100);
    NodeConfig max = Objects.requireNonNull(DEFAULTS.with(NodeOption.MAX_ITEMS, List.of("max")));
    assertThat(max.number(NodeOption.MAX_ITEMS, 100)).isEqualTo(100);
    assertThat(DEFAULTS.number(NodeOption.MAX_PAYLOAD_SIZE, 77)).isEqualTo(77);
  }

  /// A stored value that is not valid costs itself alone.
  @Test
  void whatIsNotValidHasItsDefault() {
    NodeConfig defaults = NodeConfig.ofAccounts();
    NodeConfig read =
        NodeConfig.of(
            "pubsub#max_items=many\npubsub#access_model=\npubsub#persist_items\n"
                + "pubsub#contact=@\npubsub#title=T\npubsub#item_expire=99999999999\n\n=\nx",
            defaults);
    assertThat(read.value(NodeOption.TITLE)).isEqualTo("T");
    NodeConfig titled = defaults.with(NodeOption.TITLE, List.of("T"));
    assertThat(read).isEqualTo(titled);
  }
}
