//! The client's half of SCRAM-SHA-256 (RFC 5802, RFC 7677): both sides prove that they know the password, and nobody sends it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use pbkdf2::pbkdf2_hmac_array;
use sha2::{Digest, Sha256};

/// The most rounds of hashing that are done for a server. PostgreSQL asks for 4096 unless its `scram_iterations` says otherwise; so many take about a
/// second.
pub const MOST_ROUNDS: u32 = 1_000_000;

type Key = [u8; 32];

/// A log-in that has begun.
#[derive(Debug)]
pub struct Scram {
    /// The first message without its head: the user and this side's nonce.
    first: String,
    nonce: String,
}

/// What this side answers, and what the server must then show.
#[derive(Debug, PartialEq, Eq)]
pub struct Proof {
    /// The answer.
    pub message: String,
    /// The server's last message, if it knows the password too.
    pub expected: String,
}

/// Why a challenge is not answered.
#[derive(Debug, PartialEq, Eq)]
pub enum NoProof {
    /// It is none, or it is meant for somebody else.
    Strange,
    /// It asks for so many rounds of hashing, which is more than [`MOST_ROUNDS`].
    TooManyRounds(u64),
}

impl Scram {
    /// Begins with a nonce that was never used before. PostgreSQL knows the user already, and takes an empty name.
    pub fn new(user: &str, nonce: String) -> Scram {
        Scram { first: format!("n={user},r={nonce}"), nonce }
    }

    /// The first message: no channel is bound, since none is encrypted.
    pub fn first(&self) -> String {
        format!("n,,{}", self.first)
    }

    /// The answer to the server's challenge.
    pub fn answer(&self, challenge: &str, password: &str) -> Result<Proof, NoProof> {
        let field =
            |name: &str| challenge.split(',').find_map(|field| field.strip_prefix(name)).ok_or(NoProof::Strange);
        let nonce = field("r=")?;
        let salt = STANDARD.decode(field("s=")?).map_err(|_| NoProof::Strange)?;
        let asked: u64 = field("i=")?.parse().map_err(|_| NoProof::Strange)?;
        if asked == 0 || !nonce.starts_with(&self.nonce) {
            return Err(NoProof::Strange);
        }
        // Whoever answers may be anybody, and must not keep this side busy.
        let rounds = u32::try_from(asked).ok().filter(|rounds| *rounds <= MOST_ROUNDS);
        let rounds = rounds.ok_or(NoProof::TooManyRounds(asked))?;
        let salted: Key = pbkdf2_hmac_array::<Sha256, 32>(password.as_bytes(), &salt, rounds);
        // `biws` says in base 64 what the first message began with: no channel is bound.
        let last = format!("c=biws,r={nonce}");
        let said = format!("{},{challenge},{last}", self.first);
        let client = mac(&salted, "Client Key");
        let signature = mac(&Sha256::digest(client).into(), &said);
        let proof: Vec<u8> = client.iter().zip(signature).map(|(key, sign)| key ^ sign).collect();
        let expected = format!("v={}", STANDARD.encode(mac(&mac(&salted, "Server Key"), &said)));
        Ok(Proof { message: format!("{last},p={}", STANDARD.encode(proof)), expected })
    }
}

fn mac(key: &Key, text: &str) -> Key {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &str = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    #[test]
    fn the_exchange_of_the_standard_is_answered_as_there() {
        let scram = Scram::new("user", "rOprNGfwEbeRWgbNEkqO".into());
        assert_eq!(scram.first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let proof = scram.answer(CHALLENGE, "pencil").unwrap();
        assert_eq!(
            proof.message,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        assert_eq!(proof.expected, "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    }

    #[test]
    fn a_challenge_for_somebody_else_is_not_answered() {
        let scram = Scram::new("user", "another".into());
        assert_eq!(scram.answer(CHALLENGE, "pencil"), Err(NoProof::Strange));
        assert_eq!(scram.answer("nonsense", "pencil"), Err(NoProof::Strange));
    }

    #[test]
    fn a_challenge_that_would_keep_this_side_busy_is_not_answered() {
        let scram = Scram::new("user", "rOprNGfwEbeRWgbNEkqO".into());
        let answer = |rounds: &str| scram.answer(&CHALLENGE.replace("i=4096", &format!("i={rounds}")), "pencil");
        assert_eq!(answer("1000001"), Err(NoProof::TooManyRounds(1_000_001)));
        assert_eq!(answer("4294967296"), Err(NoProof::TooManyRounds(1 << 32)));
        for strange in ["0", "-1", "", "99999999999999999999999"] {
            assert_eq!(answer(strange), Err(NoProof::Strange), "i={strange}");
        }
    }
}
