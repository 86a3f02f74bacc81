package im.zonda.module.admin.operation;

import im.zonda.jid.Jid;
import im.zonda.module.admin.home.Admins;
import im.zonda.module.admin.home.ReportQueue;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Operations on the reports of abuse (XEP-0377) that no administrator has closed.
public final class ReportOperations {
  /// A report.
  public record Report(
      @Field("the identifier") String report,
      @Field("when it was made") Instant time,
      @Field("who has made it") Jid reporter,
      @Field("who is reported") Jid reported,
      @Field("for what: spam or abuse") String reason,
      @Field(value = "what the reporter says", form = Form.LINES) @Nullable String text,
      @Field("whether the account was removed since: the address may have another owner")
          boolean former) {}

  /// Reports that are looked for.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("only those about this account or domain") @Nullable Jid reported,
      @Field("the report after which to start") @Nullable String after,
      @Field(value = "the most reports", fallback = "50", min = 1, max = 500) int limit) {}

  /// Reports that were found.
  public record Found(
      @Field("the reports, the oldest first") List<Report> reports,
      @Field(Field.NEXT) @Nullable String next) {}

  /// A report to close.
  public record Chosen(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("the identifier of the report") String report) {}

  /// `report.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("report.list", Right.MODERATION)
          .at(
              "GET /hosts/{host}/reports",
              "List the reports of abuse that are not closed",
              Wanted.class,
              Found.class);

  /// `report.close`.
  public static final Operation<Chosen, Nothing> CLOSE =
      Operation.change("report.close", Right.MODERATION)
          .at(
              "POST /hosts/{host}/reports/{report}/close",
              "Close a report of abuse",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, CLOSE);

  private final ReportQueue queue;
  private final Admins admins;

  /// @param admins knows the accounts of the host
  public ReportOperations(ReportQueue queue, Admins admins) {
    this.queue = queue;
    this.admins = admins;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(LIST.by((_, wanted) -> list(wanted)), CLOSE.by(this::close));
  }

  private Outcome<Found> list(Wanted wanted) {
    String after = wanted.after();
    Jid about = wanted.reported();
    List<ReportQueue.Report> found =
        queue.all().stream()
            .filter(each -> after == null || each.id().compareTo(after) > 0)
            .filter(each -> about == null || isAbout(each.reported(), about))
            .limit(wanted.limit() + 1L)
            .toList();
    boolean more = found.size() > wanted.limit();
    List<ReportQueue.Report> page = more ? found.subList(0, wanted.limit()) : found;
    return Outcome.done(new Found(reports(page), more ? page.getLast().id() : null));
  }

  private static boolean isAbout(Jid reported, Jid about) {
    return about.local() == null
        ? reported.domain().equals(about.domain())
        : reported.bare().equals(about.bare());
  }

  private List<Report> reports(List<ReportQueue.Report> page) {
    Set<Jid> accounts =
        page.stream()
            .map(each -> each.reported().bare())
            .filter(this::isAccount)
            .collect(Collectors.toSet());
    Map<Jid, Instant> created = admins.created(accounts);
    return page.stream().map(each -> report(each, created)).toList();
  }

  /// Whether it is the address of an account of the host, or was one.
  private boolean isAccount(Jid address) {
    return address.local() != null && admins.isLocal(address);
  }

  private Report report(ReportQueue.Report kept, Map<Jid, Instant> created) {
    return new Report(
        kept.id(),
        kept.time(),
        kept.reporter(),
        kept.reported(),
        kept.reason(),
        kept.text(),
        isFormer(kept, created));
  }

  private boolean isFormer(ReportQueue.Report kept, Map<Jid, Instant> created) {
    Jid account = kept.reported().bare();
    Instant since = created.get(account);
    return isAccount(account) && (since == null || since.isAfter(kept.time()));
  }

  private Outcome<Nothing> close(Call call, Chosen chosen) {
    if (!queue.close(chosen.report())) {
      return Outcome.notFound("There is no report " + chosen.report() + " that is not closed.");
    }
    call.changed("report", chosen.report(), null);
    return Nothing.done();
  }
}
