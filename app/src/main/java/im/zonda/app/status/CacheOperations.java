package im.zonda.app.status;

import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.storage.cache.CacheRegistry;
import java.util.List;

/// The caches of this process.
public final class CacheOperations {
  /// All of them.
  public record Listed(@Field("the caches") List<ServerStatus.Cache> caches) {}

  /// `cache.list`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("cache.list", Right.SERVER)
          .ofNodes()
          .at("GET /caches", "List the caches and how well they work", Nothing.class, Listed.class);

  /// `cache.clear`.
  public static final Operation<Nothing, Nothing> CLEAR =
      Operation.change("cache.clear", Right.SERVER)
          .ofNodes()
          .at("POST /caches/clear", "Forget what all caches hold", Nothing.class, Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, CLEAR);

  private CacheOperations() {}

  /// The operations on some caches.
  public static List<Offer<?, ?>> of(CacheRegistry caches) {
    return List.of(
        LIST.by((_, _) ->
            Outcome.done(
                new Listed(caches.statistics().stream().map(ServerStatus.Cache::of).toList()))),
        CLEAR.by((_, _) -> {
          caches.dropIf(_ -> true);
          return Nothing.done();
        }));
  }
}
