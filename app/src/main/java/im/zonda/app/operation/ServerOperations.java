package im.zonda.app.operation;

import im.zonda.host.HostCatalogue;
import im.zonda.json.JsonText;
import im.zonda.operation.AuditTrail;
import im.zonda.operation.Operations;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.operation.token.ApiTokens;
import im.zonda.runtime.ServerRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates what runs the operations of a server.
public final class ServerOperations {
  private static final Logger LOG = LoggerFactory.getLogger(ServerOperations.class);

  private ServerOperations() {}

  /// Runs the operations of a catalogue. Adds those on jobs and on tokens to it.
  public static Operations over(HostCatalogue catalogue, ApiTokens tokens, ServerRuntime runtime) {
    Jobs jobs = new Jobs(runtime.clock(), runtime.ids()::next, runtime.workers());
    catalogue.offer(JobOperations.of(jobs));
    catalogue.offer(TokenOperations.of(tokens, catalogue, runtime.clock()));
    return new OperationExecutor(
        new OperationExecutor.Parts(
            catalogue,
            ServerOperations::log,
            JsonText::of,
            runtime.clock(),
            runtime.workers(),
            jobs));
  }

  private static void log(AuditTrail.Entry entry) {
    LOG.atInfo()
        .addKeyValue("caller", entry.caller().name())
        .addKeyValue("via", entry.caller().via())
        .addKeyValue("from", entry.caller().from())
        .addKeyValue("operation", entry.operation())
        .addKeyValue("host", entry.host())
        .addKeyValue("subject", entry.subject())
        .addKeyValue("outcome", entry.outcome())
        .log("administration");
  }
}
