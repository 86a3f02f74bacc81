package im.zonda.module.pubsub.node;

import java.util.List;
import java.util.Set;

/// Where nodes are, which decides on the options that they can have.
public enum NodePlace {
  /// At an account, whose roster and presence decide on access (XEP-0163).
  ACCOUNT(NodeConfig.ofAccounts(), Set.of(), Set.of()),
  /// At a service, which has no roster and no presence.
  SERVICE(
      NodeConfig.ofServices(),
      Set.of(NodeOption.ROSTER_GROUPS_ALLOWED),
      Set.of("presence", "roster", "on_sub_and_presence"));

  @SuppressWarnings("ImmutableEnumChecker") // a record of unmodifiable lists
  private final NodeConfig defaults;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<NodeOption> missing;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<String> missingChoices;

  NodePlace(NodeConfig defaults, Set<NodeOption> missing, Set<String> missingChoices) {
    this.defaults = defaults;
    this.missing = missing;
    this.missingChoices = missingChoices;
  }

  /// The configuration of new nodes.
  public NodeConfig defaults() {
    return defaults;
  }

  /// Whether nodes have the option.
  public boolean has(NodeOption option) {
    return !missing.contains(option);
  }

  /// Whether an option, which is a choice, may have that value.
  public boolean offers(String choice) {
    return !missingChoices.contains(choice);
  }

  /// Whether an option may have these values, in their normal form.
  public boolean allows(NodeOption option, List<String> values) {
    return has(option) && (option.choices().isEmpty() || values.stream().allMatch(this::offers));
  }
}
