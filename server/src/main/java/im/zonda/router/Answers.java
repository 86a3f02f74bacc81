package im.zonda.router;

import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import org.jspecify.annotations.Nullable;

/// Brings results of IQ requests to the homes of those who asked. One that is too much becomes an
/// error ([LargeAnswers]).
final class Answers {
  private final Homes homes;
  private final Arrivals arrivals;
  private final RouterStats stats;
  private final LargeAnswers large;

  /// @param limit the most bytes of large answers that wait for all accounts
  Answers(Homes homes, Arrivals arrivals, RouterStats stats, long limit) {
    this.homes = homes;
    this.arrivals = arrivals;
    this.stats = stats;
    this.large = new LargeAnswers(limit);
  }

  /// Routes a result to `account`, which belongs to `host`; `origin` waits for the end of it.
  void route(Iq answer, Jid account, Dispatch host, @Nullable Origin origin) {
    int size = answer.writtenSize();
    boolean taken = large.take(account, size);
    Iq arriving = taken ? answer : tooMuch(answer);
    if (origin != null) {
      origin.begin();
    }
    homes.submit(
        account,
        host,
        false,
        origin == null ? null : origin.outbound(),
        new HomeTask() {
          @Override
          public void run(AccountHome home) {
            arrivals.take(home, arriving, origin);
            end();
          }

          @Override
          public void failed(Throwable cause) {
            stats.failed.increment();
            end();
          }

          private void end() {
            if (taken) {
              large.give(account, size);
            }
            if (origin != null) {
              origin.end();
            }
          }
        });
  }

  private static Iq tooMuch(Iq answer) {
    return Iq.of(
        Iq.Type.ERROR,
        answer.from(),
        answer.to(),
        answer.id(),
        StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT).toElement());
  }
}
