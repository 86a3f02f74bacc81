package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A target that does something besides what another one does.
public abstract class WrappedTarget implements Target {
  private final Target target;

  /// @param target does what this class does not do
  protected WrappedTarget(Target target) {
    this.target = target;
  }

  @Override
  public void start(Plan plan) throws IOException {
    target.start(plan);
  }

  @Override
  public List<Endpoint> endpoints() {
    return target.endpoints();
  }

  @Override
  public List<Endpoint> endpoints(Endpoint.Transport transport) {
    return target.endpoints(transport);
  }

  @Override
  public String service(String kind) {
    return target.service(kind);
  }

  @Override
  public List<TargetProcess> processes() {
    return target.processes();
  }

  @Override
  public @Nullable Path gcLog() {
    return target.gcLog();
  }

  @Override
  public Result.Subject subject() {
    return target.subject();
  }

  @Override
  public void phaseBegins(String name, long nanos) {
    target.phaseBegins(name, nanos);
  }

  @Override
  public void measureEnds() throws IOException {
    target.measureEnds();
  }

  @Override
  public List<Result.Figure> figures() throws IOException {
    return target.figures();
  }

  @Override
  public void close() {
    target.close();
  }
}
