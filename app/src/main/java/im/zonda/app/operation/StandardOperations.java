package im.zonda.app.operation;

import im.zonda.app.accounts.ProviderOperations;
import im.zonda.app.alarm.AlarmOperations;
import im.zonda.app.backup.BackupOperations;
import im.zonda.app.ban.BanOperations;
import im.zonda.app.ban.FailedLoginOperations;
import im.zonda.app.certificates.AcmeOperations;
import im.zonda.app.certificates.CertificateOperations;
import im.zonda.app.cluster.ClusterOperations;
import im.zonda.app.cluster.MemberOperations;
import im.zonda.app.compliance.ComplianceOperations;
import im.zonda.app.doctor.DnsOperations;
import im.zonda.app.doctor.DoctorOperations;
import im.zonda.app.federation.ConnectionOperations;
import im.zonda.app.federation.LinkOperations;
import im.zonda.app.hosts.ConfigChangeOperations;
import im.zonda.app.hosts.ConfigOperations;
import im.zonda.app.hosts.HostOperations;
import im.zonda.app.journal.JournalOperations;
import im.zonda.app.log.LogOperations;
import im.zonda.app.metric.MetricOperations;
import im.zonda.app.plugin.PluginOperations;
import im.zonda.app.reach.ReachOperations;
import im.zonda.app.recording.RecordingOperations;
import im.zonda.app.size.SizeOperations;
import im.zonda.app.status.CacheOperations;
import im.zonda.app.status.QueueOperations;
import im.zonda.app.status.StatusOperations;
import im.zonda.app.support.SupportOperations;
import im.zonda.app.trace.TraceOperations;
import im.zonda.app.users.ImportOperation;
import im.zonda.console.Console;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.circle.CircleOperations;
import im.zonda.module.export.ExportOperations;
import im.zonda.module.group.GroupOperations;
import im.zonda.module.invitations.InvitationOperations;
import im.zonda.module.muc.admin.RoomOperations;
import im.zonda.module.pubsub.NodeOperations;
import im.zonda.operation.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The definitions of all operations: of the server as a whole, and of the modules that come with
/// it.
public final class StandardOperations {
  /// In the order of their names.
  public static final List<Operation<?, ?>> ALL =
      Stream.of(
              AcmeOperations.ALL,
              AdminModule.OPERATIONS,
              AlarmOperations.ALL,
              AuditOperations.ALL,
              BackupOperations.ALL,
              BanOperations.ALL,
              CacheOperations.ALL,
              CertificateOperations.ALL,
              CircleOperations.ALL,
              ClusterOperations.ALL,
              ComplianceOperations.ALL,
              ConfigChangeOperations.ALL,
              ConfigOperations.ALL,
              ConnectionOperations.ALL,
              DnsOperations.ALL,
              DoctorOperations.ALL,
              FailedLoginOperations.ALL,
              Console.OPERATIONS,
              ExportOperations.ALL,
              GroupOperations.ALL,
              HostOperations.ALL,
              ImportOperation.ALL,
              InvitationOperations.ALL,
              JobOperations.ALL,
              JournalOperations.ALL,
              LinkOperations.ALL,
              LogOperations.ALL,
              MemberOperations.ALL,
              MetricOperations.ALL,
              NodeOperations.ALL,
              ReachOperations.ALL,
              RecordingOperations.ALL,
              ProviderOperations.ALL,
              PluginOperations.ALL,
              QueueOperations.ALL,
              RoomOperations.ALL,
              SizeOperations.ALL,
              StatusOperations.ALL,
              SupportOperations.ALL,
              TokenOperations.ALL,
              TraceOperations.ALL)
          .<Operation<?, ?>>flatMap(List::stream)
          .sorted(Comparator.comparing(Operation::name))
          .toList();

  private StandardOperations() {}
}
