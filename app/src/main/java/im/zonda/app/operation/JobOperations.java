package im.zonda.app.operation;

import im.zonda.operation.Field;
import im.zonda.operation.Job;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.execution.Jobs;
import java.util.List;

/// The operations on work that takes long.
public final class JobOperations {
  /// A job.
  public record Chosen(@Field("the identifier of the job") String job) {}

  /// Jobs.
  public record Listed(@Field("the jobs, the newest first") List<Job> jobs) {}

  /// `job.list`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("job.list", Right.SERVER)
          .ofNodes()
          .at("GET /jobs", "List the work that goes on or has ended", Nothing.class, Listed.class);

  /// `job.show`.
  public static final Operation<Chosen, Job> SHOW =
      Operation.read("job.show", Right.SERVER)
          .ofNode()
          .at("GET /jobs/{job}", "Say how far a job is", Chosen.class, Job.class);

  /// `job.cancel`.
  public static final Operation<Chosen, Nothing> CANCEL =
      Operation.change("job.cancel", Right.SERVER)
          .ofNode()
          .at("POST /jobs/{job}/cancel", "Stop a job", Chosen.class, Nothing.class);

  /// The definitions.
  static final List<Operation<?, ?>> ALL = List.of(LIST, SHOW, CANCEL);

  private JobOperations() {}

  /// The operations on jobs.
  public static List<Offer<?, ?>> of(Jobs jobs) {
    return List.of(
        LIST.by((_, _) -> Outcome.done(new Listed(jobs.list()))),
        SHOW.by((_, chosen) -> {
          Job job = jobs.find(chosen.job());
          return job == null ? unknown(chosen) : Outcome.done(job);
        }),
        CANCEL.by((_, chosen) -> jobs.cancel(chosen.job()) ? Nothing.done() : unknown(chosen)));
  }

  private static <R extends Record> Outcome<R> unknown(Chosen chosen) {
    return Outcome.notFound("There is no job " + chosen.job() + " that goes on.");
  }
}
