package im.zonda.bench.run;

import im.zonda.bench.load.Plan;
import im.zonda.bench.result.Result;
import im.zonda.bench.target.Target;
import im.zonda.bench.xmpp.Endpoint;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server that is there, in this process.
///
/// @param processes those that it is said to have
record FakeTarget(Endpoint endpoint, List<TargetProcess> processes) implements Target {
  FakeTarget(Endpoint endpoint) {
    this(endpoint, List.of());
  }

  @Override
  public void start(Plan plan) {
    // The server is there.
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(endpoint);
  }

  @Override
  public String service(String kind) {
    return kind + ".fake";
  }

  @Override
  public @Nullable Path gcLog() {
    return null;
  }

  @Override
  public Result.Subject subject() {
    return new Result.Subject("fake", "", "", List.of());
  }

  @Override
  public void close() {
    // Nothing was started.
  }
}
