package im.zonda.module;

import im.zonda.journal.Place;
import im.zonda.trace.Verdict;
import org.jspecify.annotations.Nullable;

/// Notes the steps of the messages that administrators have chosen. A port. Any thread may call;
/// nothing blocks. Under load steps are dropped and counted.
public interface Tracer {
  /// Notes nothing.
  Tracer NONE =
      new Tracer() {
        @Override
        public boolean on() {
          return false;
        }

        @Override
        public void step(
            Envelope envelope, Place place, Verdict verdict, @Nullable String detail) {}
      };

  /// Whether any message is traced; to be asked before what a step needs is worked out.
  boolean on();

  /// Notes a step of a message, if the message is traced.
  ///
  /// @param detail what belongs to the step, such as a resource, or null
  void step(Envelope envelope, Place place, Verdict verdict, @Nullable String detail);
}
