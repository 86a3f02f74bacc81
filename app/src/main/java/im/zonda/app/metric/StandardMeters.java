package im.zonda.app.metric;

import im.zonda.app.accounts.ProviderReadings;
import im.zonda.app.plugin.PluginReadings;
import im.zonda.app.trace.otlp.OtlpExport;
import im.zonda.metric.Meter;
import im.zonda.module.push.PushModule;
import im.zonda.module.upload.UploadModule;
import im.zonda.net.http.ResponseCounts;
import im.zonda.operation.execution.OperationExecutor;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The definitions of all meters: of the process, of the server, and of the modules that come with
/// it.
public final class StandardMeters {
  /// In the order of their names.
  public static final List<Meter> ALL =
      Stream.of(
              List.of(OperationExecutor.RUNS, ResponseCounts.METER),
              OtlpExport.METERS,
              ProcessMeters.ALL,
              PluginReadings.ALL,
              ProviderReadings.ALL,
              PushModule.METERS,
              ServerMeters.ALL,
              UploadModule.METERS)
          .flatMap(List::stream)
          .sorted(Comparator.comparing(Meter::name))
          .toList();

  private StandardMeters() {}
}
