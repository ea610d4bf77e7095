"""What every endpoint shares: who asks, what they may do, how input is read and how answers and refusals look."""
