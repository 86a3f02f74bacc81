package im.zonda.module.pubsub;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Affiliation;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of administrators on publish-subscribe nodes of accounts and of the service. They
/// never show the contents of items.
public final class NodeOperations {
  static final String OWNER = "the account, or the service, that has the node";
  static final String NODE = "the name of the node";

  /// Which nodes to list.
  public record Wanted(
      @Field("the account, or the service, that has the nodes") Jid owner,
      @Field("only nodes after this name") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// Names of nodes.
  public record Names(
      @Field("the names, in their order") List<String> nodes,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `node.list`.
  public static final Operation<Wanted, Names> LIST =
      Operation.read("node.list", Right.NODES)
          .at(
              "GET /nodes/{owner}",
              "List the nodes of an account or a service",
              Wanted.class,
              Names.class);

  /// A node.
  public record Chosen(@Field(OWNER) Jid owner, @Field(NODE) String node) {}

  /// A part of the configuration.
  public record Setting(
      @Field("the name of the option") String name, @Field("its values") List<String> values) {}

  /// A node with its configuration.
  public record Shown(
      @Field(OWNER) Jid owner,
      @Field(NODE) String node,
      @Field("who has created it") Jid creator,
      @Field("when it was created") Instant created,
      @Field("how many items it has") int items,
      @Field(value = "the size of all items", form = Field.Form.BYTES) long bytes,
      @Field("how many subscriptions it has") int subscriptions,
      @Field("how many affiliations it has") int affiliations,
      @Field("how it is configured") List<Setting> settings) {}

  /// `node.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("node.show", Right.NODES)
          .at("GET /nodes/{owner}/show", "Show a node", Chosen.class, Shown.class);

  /// A part of what a node has.
  public record Portion(
      @Field(OWNER) Jid owner,
      @Field(NODE) String node,
      @Field("only those after this one") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// An item without its contents.
  public record Item(
      @Field("the identifier") String id,
      @Field("who has published it") Jid publisher,
      @Field("when it was published") Instant published,
      @Field(value = "the size of its payload", form = Field.Form.BYTES) long size) {}

  /// Items.
  public record Items(
      @Field("the items, in the order in which they were created") List<Item> items,
      @Field("how many the node has") int count,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `node.items`.
  public static final Operation<Portion, Items> ITEMS =
      Operation.read("node.items", Right.NODES)
          .at(
              "GET /nodes/{owner}/items",
              "List the items of a node, without their contents",
              Portion.class,
              Items.class);

  /// A subscription.
  public record Subscription(
      @Field("the identifier") String id,
      @Field("who is subscribed") Jid subscriber,
      @Field("the state") im.zonda.module.pubsub.node.Subscription.State state) {}

  /// Subscriptions.
  public record Subscriptions(
      @Field("the subscriptions, in the order of their identifiers")
          List<Subscription> subscriptions,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `node.subscriptions`.
  public static final Operation<Portion, Subscriptions> SUBSCRIPTIONS =
      Operation.read("node.subscriptions", Right.NODES)
          .at(
              "GET /nodes/{owner}/subscriptions",
              "List the subscriptions to a node",
              Portion.class,
              Subscriptions.class);

  /// What a user is to a node.
  public record Affiliated(
      @Field("the user") Jid user, @Field("the affiliation") Affiliation affiliation) {}

  /// Affiliations.
  public record Affiliations(
      @Field("the affiliations, in the order of the addresses") List<Affiliated> affiliations,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `node.affiliations`.
  public static final Operation<Portion, Affiliations> AFFILIATIONS =
      Operation.read("node.affiliations", Right.NODES)
          .at(
              "GET /nodes/{owner}/affiliations",
              "List the affiliations with a node",
              Portion.class,
              Affiliations.class);

  /// An affiliation to give.
  public record Given(
      @Field(OWNER) Jid owner,
      @Field(NODE) String node,
      @Field("the user") Jid user,
      @Field("the affiliation; none takes it") Affiliation affiliation) {}

  /// `node.affiliate`.
  public static final Operation<Given, Nothing> AFFILIATE =
      Operation.change("node.affiliate", Right.NODES)
          .at(
              "POST /nodes/{owner}/affiliate",
              "Give a user an affiliation with a node",
              Given.class,
              Nothing.class);

  /// `node.purge`.
  public static final Operation<Chosen, Nothing> PURGE =
      Operation.destroy("node.purge", Right.NODES)
          .at(
              "POST /nodes/{owner}/purge",
              "Remove all items of a node",
              Chosen.class,
              Nothing.class);

  /// `node.delete`.
  public static final Operation<Chosen, Nothing> DELETE =
      Operation.destroy("node.delete", Right.NODES)
          .at("POST /nodes/{owner}/delete", "Delete a node", Chosen.class, Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(LIST, SHOW, ITEMS, SUBSCRIPTIONS, AFFILIATIONS, AFFILIATE, PURGE, DELETE);

  private NodeOperations() {}
}
