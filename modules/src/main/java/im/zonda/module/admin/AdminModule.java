package im.zonda.module.admin;

import im.zonda.account.AccountRegistration;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.OnlineAccounts;
import im.zonda.config.Administration;
import im.zonda.federation.ServerLinks;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalSearch;
import im.zonda.module.Addressee;
import im.zonda.module.ClientAccess;
import im.zonda.module.DomainService;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.admin.command.AdminCommands;
import im.zonda.module.admin.home.AccessLists;
import im.zonda.module.admin.home.AccountTasks;
import im.zonda.module.admin.home.AccountWatch;
import im.zonda.module.admin.home.Admins;
import im.zonda.module.admin.home.Announcements;
import im.zonda.module.admin.home.DeliveryReports;
import im.zonda.module.admin.home.HostSettings;
import im.zonda.module.admin.home.ReportQueue;
import im.zonda.module.admin.home.Reports;
import im.zonda.module.admin.operation.AccessOperations;
import im.zonda.module.admin.operation.AccountLists;
import im.zonda.module.admin.operation.AccountOperations;
import im.zonda.module.admin.operation.ArchiveOperations;
import im.zonda.module.admin.operation.DeviceOperations;
import im.zonda.module.admin.operation.FileOperations;
import im.zonda.module.admin.operation.MessageOperations;
import im.zonda.module.admin.operation.NoticeOperations;
import im.zonda.module.admin.operation.ReportOperations;
import im.zonda.module.admin.operation.RosterOperations;
import im.zonda.module.admin.operation.SessionOperations;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandSessions;
import im.zonda.module.commands.CommandTable;
import im.zonda.module.commands.CommandXml;
import im.zonda.module.disco.CommandNodes;
import im.zonda.module.disco.DiscoModule;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RosterStore;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lets the administrators of a host run its commands, at the host's address and at their own.
@Xep(number = 50, version = "1.3.0", title = "Ad-Hoc Commands")
@Xep(
    number = 133,
    version = "1.3.1",
    title = "Service Administration",
    note =
        "User statistics have no IP addresses; the lists of blocked and allowed addresses are"
            + " for accounts, not for rooms; in a cluster, restart and shutdown are for one node")
public final class AdminModule implements XmppModule {
  /// The key-value store of accounts, and of the host itself.
  public static final String STORE = HostSettings.STORE;

  /// The key-value store of reports of abuse, which belong to the host.
  public static final String REPORTS = ReportQueue.STORE;

  /// What administrators can do about the people of a host.
  public static final List<Operation<?, ?>> OPERATIONS =
      Stream.of(
              AccountLists.ALL,
              AccountOperations.ALL,
              SessionOperations.ALL,
              RosterOperations.ALL,
              DeviceOperations.ALL,
              ArchiveOperations.ALL,
              FileOperations.ALL,
              NoticeOperations.ALL,
              AccessOperations.ALL,
              MessageOperations.ALL,
              ReportOperations.ALL)
          .<Operation<?, ?>>flatMap(List::stream)
          .toList();

  private final DiscoModule disco;
  private final SessionKey<Instant> bound =
      new SessionKey<>("bound-at", Instant.class, Instant::toString, Instant::parse);
  private final List<Command> offered = new CopyOnWriteArrayList<>();
  private volatile @Nullable Reports reports;
  private volatile @Nullable Admins administrators;

  /// @param disco the module that says which commands there are
  public AdminModule(DiscoModule disco) {
    this.disco = disco;
  }

  @Override
  public String name() {
    return "admin";
  }

  @Override
  public Ports ports() {
    return Ports.of(
            AccountRegistration.class,
            AccountAddresses.class,
            DisabledAccounts.class,
            OnlineAccounts.class,
            RosterStore.class,
            UploadStore.class,
            MessageArchive.class,
            MessageLog.class,
            ClientAccess.class,
            ExternalComponents.class,
            Operations.class,
            JournalSearch.class,
            ServerLinks.class,
            DomainService.LocalDomains.class)
        .withKeyValues(STORE)
        .withKeyValues(REPORTS);
  }

  @Override
  public void install(ModuleContext context) {
    HostSettings settings = new HostSettings(context);
    Admins admins = new Admins(context, settings);
    administrators = admins;
    ReportQueue queue = new ReportQueue(context);
    reports = new Reports(context, admins, queue);
    new ReportOperations(queue, admins).offers().forEach(context::offer);
    AccountWatch watch = new AccountWatch(context, settings, bound);
    watch.install();
    AccountTasks tasks = new AccountTasks(context, watch);
    tasks.install();
    new AccessLists(context.domain(), settings).install(context);
    offer(context, settings, admins, tasks);
    CommandTable table =
        new CommandTable(
            context,
            new CommandSessions(() -> {
              Administration limits = context.config().services().administration();
              return new CommandSessions.Bounds(limits.sessions(), limits.sessionTime());
            }));
    new AdminCommands(context, admins::contains).addTo(table);
    offered.forEach(table::add);
    context.advertise(CommandXml.NAMESPACE);
    context.onIq(
        Iq.Type.SET,
        CommandXml.COMMAND,
        Addressee.SERVER,
        request -> run(table, request, context.domain()));
    context.onIq(
        Iq.Type.SET,
        CommandXml.COMMAND,
        Addressee.OWN_ACCOUNT,
        request -> run(table, request, request.home().jid()));
    disco.describeCommands(nodes(table, admins));
  }

  private static void offer(
      ModuleContext context, HostSettings settings, Admins admins, AccountTasks tasks) {
    List<Offer<?, ?>> offers = new ArrayList<>();
    offers.addAll(new AccountLists(context).offers());
    offers.addAll(new AccountOperations(context, tasks, admins).offers());
    offers.addAll(new SessionOperations(context, tasks).offers());
    offers.addAll(new RosterOperations(context, tasks).offers());
    offers.addAll(new DeviceOperations(context, tasks).offers());
    offers.addAll(new ArchiveOperations(context).offers());
    offers.addAll(new FileOperations(context).offers());
    offers.addAll(new NoticeOperations(context, settings, new Announcements(context)).offers());
    offers.addAll(new AccessOperations(context, settings, admins).offers());
    DeliveryReports deliveries = new DeliveryReports(context);
    deliveries.install();
    offers.addAll(new MessageOperations(context, deliveries).offers());
    offers.forEach(context::offer);
  }

  @Override
  public void stop() {
    reports = null;
    administrators = null;
    disco.describeCommands(null);
  }

  /// Offers a command of another module at the host's address. To be called before this module is
  /// installed.
  public void offer(Command command) {
    offered.add(command);
  }

  /// Whether an address is that of an administrator. May block.
  public boolean isAdministrator(Jid address) {
    Admins present = administrators;
    return present != null && present.contains(address);
  }

  /// Forwards a report of abuse to the administrators, within bounds.
  ///
  /// @param reported who is reported
  /// @param reason a word for people
  /// @param report the `<report/>` of XEP-0377
  public void forwardReport(Jid reporter, Jid reported, String reason, Element report) {
    Reports present = reports;
    if (present != null) {
      present.forward(reporter, reported, reason, report);
    }
  }

  private static IqReply run(CommandTable table, IqRequest request, Jid address) {
    return request.iq().from() == null
        ? IqReply.refuse(ErrorCondition.FORBIDDEN)
        : table.run(request.iq(), request.payload(), address);
  }

  /// Accounts of those who are no administrators have no commands.
  private static CommandNodes nodes(CommandTable table, Admins admins) {
    return new CommandNodes() {
      @Override
      public @Nullable IqReply info(IqRequest request, Jid address, String node) {
        Jid from = request.iq().from();
        return from == null || (address.local() != null && !admins.contains(from))
            ? null
            : table.info(from, node);
      }

      @Override
      public @Nullable IqReply items(IqRequest request, Jid address, String node) {
        Jid from = request.iq().from();
        if (from == null) {
          return null;
        }
        if (address.local() != null && !admins.contains(from)) {
          return node.equals(CommandXml.NAMESPACE) ? CommandTable.noItems() : null;
        }
        return table.items(address, from, node);
      }
    };
  }
}
