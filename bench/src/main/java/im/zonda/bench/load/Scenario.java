package im.zonda.bench.load;

import java.util.List;
import java.util.Map;

/// One kind of load. A scenario has no state: [#run] is called once in each process of the
/// generator, [#plan] and [#conclude] in the process that was started.
public interface Scenario {
  /// The word of the command line.
  String name();

  /// The word under which results are kept, for a run that measures something else than usual.
  default String resultName() {
    return name();
  }

  /// One sentence for the help.
  String summary();

  /// The options besides those of all scenarios.
  List<Option> options();

  /// What is usual here for options of the server under load, where that is not what is usual
  /// elsewhere, such as three nodes.
  default Map<String, String> usualTarget() {
    return Map.of();
  }

  /// What the load needs.
  ///
  /// @throws IllegalArgumentException if the options contradict each other, with a sentence for the
  ///   user
  Plan plan(Options options);

  /// Makes this process's part of the load: the clients of which [Load#isMine] says so.
  ///
  /// @throws Exception ends the run, with its message
  void run(Load load) throws Exception;

  /// The figures and verdicts of the whole.
  Conclusion conclude(Outcome outcome);
}
