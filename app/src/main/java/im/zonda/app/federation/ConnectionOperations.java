package im.zonda.app.federation;

import im.zonda.jid.Jid;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The components and the edges that are connected.
public final class ConnectionOperations {
  /// A component.
  public record Component(
      @Field(Field.NODE) @Nullable String node, @Field("its domain") Jid domain) {}

  /// Components.
  public record Components(@Field("the connected components") List<Component> components) {}

  /// Edges.
  ///
  /// @param connected how many there are
  /// @param streams how many clients they have
  public record Edges(
      @Field("how many edges are connected to this process") int connected,
      @Field("how many streams of clients they have here, about") int streams) {}

  /// `component.list`.
  public static final Operation<Nothing, Components> COMPONENTS =
      Operation.read("component.list", Right.LINKS)
          .ofNodes()
          .at(
              "GET /components",
              "List the external components that are connected",
              Nothing.class,
              Components.class);

  /// `server.edges`.
  public static final Operation<Nothing, Edges> EDGES =
      Operation.read("server.edges", Right.LINKS)
          .ofNodes()
          .at("GET /edges", "Say how many edges are connected", Nothing.class, Edges.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(COMPONENTS, EDGES);

  private ConnectionOperations() {}

  /// The operations.
  public static List<Offer<?, ?>> of(Supplier<List<Jid>> components, Supplier<Edges> edges) {
    return List.of(
        COMPONENTS.by((_, _) ->
            Outcome.done(
                new Components(
                    components.get().stream().map(each -> new Component(null, each)).toList()))),
        EDGES.by((_, _) -> Outcome.done(edges.get())));
  }
}
