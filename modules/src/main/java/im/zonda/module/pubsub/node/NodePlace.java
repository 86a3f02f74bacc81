package im.zonda.module.pubsub.node;

import java.util.List;
import java.util.Set;

/// Where nodes are, which decides on the options that they can have.
public enum NodePlace {
  /// At an account, whose roster and presence decide on access (XEP-0163). Subscribers whose
  /// presence it does not know may not have temporary subscriptions.
  ACCOUNT(
      NodeConfig.ofAccounts(),
      Set.of(
          NodeOption.COLLECTION,
          NodeOption.CHILDREN,
          NodeOption.CHILDREN_ASSOCIATION_POLICY,
          NodeOption.CHILDREN_ASSOCIATION_WHITELIST,
          NodeOption.CHILDREN_MAX),
      Set.of(NodeOption.PRESENCE_BASED_DELIVERY, NodeOption.TEMPSUB),
      Set.of("collection")),
  /// At a service. The roster of a node's creator decides on access, if it is an account of its
  /// host.
  SERVICE(NodeConfig.ofServices(), Set.of(), Set.of(), Set.of());

  @SuppressWarnings("ImmutableEnumChecker") // a record of unmodifiable lists
  private final NodeConfig defaults;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<NodeOption> missing;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<NodeOption> fixed;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<String> missingChoices;

  NodePlace(
      NodeConfig defaults,
      Set<NodeOption> missing,
      Set<NodeOption> fixed,
      Set<String> missingChoices) {
    this.defaults = defaults;
    this.missing = missing;
    this.fixed = fixed;
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
    return has(option)
        && (!fixed.contains(option) || values.equals(defaults.all(option)))
        && (option.choices().isEmpty() || values.stream().allMatch(this::offers));
  }
}
