import { describe, expect, it } from 'vitest';
import { compute, shownQuery } from '../support.ts';

const purchases = `purchase,bought_on,shopper,city,product,quantity,unit_price,total,payment,state,salesperson
P-501,2025-04-02,Marlow,Leeds,desk lamp,2,24.50,49.00,card,delivered,Ines
P-502,2025-04-03,Quill,York,office chair,1,139.00,139.00,invoice,delivered,Tom
P-503,2025-04-07,Marlow,Leeds,shelf,4,35.00,140.00,card,returned,Ines
P-504,2025-04-11,Brandt,Hull,office chair,3,139.00,417.00,invoice,pending,Ines
P-505,2025-05-02,Quill,York,desk lamp,6,24.50,147.00,cash,delivered,Tom
P-506,2025-05-19,Oakes,Leeds,shelf,1,35.00,35.00,card,cancelled,Wanda
`;

const sensors = `sensor,room,measured_at,temperature_c,humidity_pct,battery
s-01,cellar,2025-01-03 06:00,11.5,71,ok
s-02,attic,2025-01-03 06:00,4.0,58,low
s-03,kitchen,2025-01-03 06:05,19.5,44,ok
s-01,cellar,2025-01-03 12:00,12.0,70,ok
s-02,attic,2025-01-03 12:00,9.5,51,low
`;

const builds = `{"started":"2025-06-01T08:00:00Z","build":"b-71","branch":"main","result":"passed","duration_s":310,"author":"jo"}
{"started":"2025-06-01T09:10:00Z","build":"b-72","branch":"login","result":"failed","duration_s":95,"author":"kim"}
{"started":"2025-06-02T07:45:00Z","build":"b-73","branch":"main","result":"passed","duration_s":402,"author":"kim"}
{"started":"2025-06-03T16:20:00Z","build":"b-74","branch":"login","result":"failed","duration_s":120,"author":"jo"}
`;

const laps = `driver,team,lap,lap_time_s,finished,points
Rossi,Blue,1,92.4,true,10
Rossi,Blue,2,90.1,true,8
Haas,Red,1,91.7,true,12
Haas,Red,2,95.0,false,0
Lind,Blue,1,89.9,true,15
`;

const reviews = `id;hotel;guest;stars;nights;written;comment
1;Seaview;Ada;5;2;2024-07-01;lovely
2;Seaview;Ben;2;1;2024-07-03;noisy
3;Alpina;Cleo;4;7;2024-07-09;clean
4;Alpina;Ada;1;3;2024-08-02;cold
`;

const payments = `ref,paid_at,method,amount_eur,fee_eur,merchant,outcome
x1,2025-02-01 10:00,visa,20.00,0.30,Bakery,approved
x2,2025-02-01 11:30,paypal,55.00,1.10,Garage,declined
x3,2025-02-02 09:15,visa,5.50,0.10,Bakery,approved
x4,2025-02-03 18:40,paypal,80.00,1.60,Florist,approved
`;

const bookings = `booking_no,created,customer_name,country,seats,price_per_seat,discount,status,channel,note
1001,2025-01-05,Ada Lark,NL,2,40.00,0.00,confirmed,web,
1002,2025-01-06,Bo Finch,BE,4,35.50,10.00,cancelled,phone,wants an aisle seat
1003,2025-01-09,Ada Lark,NL,1,40.00,0.00,confirmed,web,
1004,2025-02-02,Cy Wren,DE,3,60.00,5.00,no-show,partner,
1005,2025-02-11,Bo Finch,BE,1,35.50,0.00,confirmed,web,
`;

const calls = `{"time":"2025-03-01T08:00:00Z","method":"GET","path":"/feed","status":200,"ms":35,"ip":"10.0.0.4","bytes":1200}
{"time":"2025-03-01T08:00:02Z","method":"POST","path":"/login","status":401,"ms":80,"ip":"10.0.0.9","bytes":90}
{"time":"2025-03-01T08:00:05Z","method":"GET","path":"/feed","status":500,"ms":2100,"ip":"10.0.0.4","bytes":0}
{"time":"2025-03-01T08:01:00Z","method":"GET","path":"/about","status":404,"ms":5,"ip":"10.0.0.7","bytes":300}
{"time":"2025-03-01T08:01:30Z","method":"POST","path":"/login","status":200,"ms":95,"ip":"10.0.0.9","bytes":450}
`;

const texts = {
  'bookings.csv': bookings,
  'calls.jsonl': calls,
  'purchases.csv': purchases,
  'readings.csv': sensors,
  'builds.jsonl': builds,
  'laps.csv': laps,
  'reviews.csv': reviews,
  'payments.csv': payments,
};

async function understood(question: string, name: keyof typeof texts) {
  const [first] = await compute(question, { [name]: texts[name] });
  return first === undefined ? null : shownQuery(first.result);
}

describe('a question in plain words about a table', () => {
  it.each<[name: keyof typeof texts, question: string, expected: string | null]>([
    ['purchases.csv', 'What was the most expensive purchase?', 'max total'],
    ['purchases.csv', 'cheapest purchase in May 2025', 'min total where bought_on in May 2025'],
    ['purchases.csv', 'Which shopper has the highest total?', 'sum total by shopper most first 1'],
    ['purchases.csv', 'who sold the most?', 'sum total by salesperson most first 1'],
    ['purchases.csv', 'Who spent the most?', 'sum total by shopper most first 1'],
    ['purchases.csv', 'Which shopper spent the most?', 'sum total by shopper most first 1'],
    ['purchases.csv', 'which city brought in the most revenue', 'sum total by city most first 1'],
    ['purchases.csv', 'best-selling product', 'sum quantity by product most first 1'],
    ['purchases.csv', 'Which product sold best?', 'sum quantity by product most first 1'],
    ['purchases.csv', 'how many desk lamps were sold?', 'sum quantity where product desk lamp'],
    ['purchases.csv', 'what is the total of all delivered purchases', 'sum total where state delivered'],
    ['purchases.csv', 'How much did Marlow spend?', 'sum total where shopper Marlow'],
    ['purchases.csv', 'How much did Quill pay in total?', 'sum total where shopper Quill'],
    ['purchases.csv', 'How many purchases were returned?', 'count where state returned'],
    ['purchases.csv', 'how many purchases are still pending', 'count where state pending'],
    ['purchases.csv', 'how many purchases were paid by card?', 'count where payment card'],
    ['purchases.csv', 'How many shoppers bought something from us?', 'distinct shopper'],
    ['purchases.csv', 'how many different products do we sell', 'distinct product'],
    ['purchases.csv', 'What was the first purchase?', 'min bought_on'],
    ['purchases.csv', 'when was the last purchase by Quill?', 'max bought_on where shopper Quill'],
    ['purchases.csv', 'Which purchase came last?', 'max bought_on'],
    ['purchases.csv', 'what is the most popular payment method?', 'count by payment most first 1'],
    ['purchases.csv', 'average total of card purchases', 'mean total where payment card'],
    ['purchases.csv', 'What is the average purchase value?', 'mean total'],
    ['purchases.csv', 'How many purchases did we get from Leeds so far?', 'count where city Leeds'],
    ['purchases.csv', 'how many purchases above 100?', 'count where total > 100/0'],
    ['purchases.csv', 'How many purchases in April?', 'count where bought_on in April'],
    ['purchases.csv', 'what did Marlow spend altogether?', 'sum total where shopper Marlow'],
    ['purchases.csv', 'How many purchases came from Paris?', null],
    ['purchases.csv', 'How many purchases did Ines handle for X-99?', null],
    ['purchases.csv', 'how many purchases were insured, gift-wrapped and expedited?', null],
    ['readings.csv', 'What was the coldest temperature in the attic?', 'min temperature_c where room attic'],
    ['readings.csv', 'Which room has the highest humidity?', 'max humidity_pct'],
    ['readings.csv', 'what is the warmest room?', 'max temperature_c'],
    ['readings.csv', 'How many sensors are there?', 'distinct sensor'],
    ['readings.csv', 'latest reading of s-01', 'max measured_at where sensor s-01'],
    ['readings.csv', 'average temperature per room', 'mean temperature_c by room'],
    ['builds.jsonl', 'What was the first failed build?', 'min started where result failed'],
    ['builds.jsonl', 'which build took the longest?', 'max duration_s'],
    ['builds.jsonl', 'longest build in seconds', 'max duration_s'],
    ['builds.jsonl', 'fastest build on main', 'min duration_s where branch main'],
    ['builds.jsonl', 'What was the slowest build?', 'max duration_s'],
    ['builds.jsonl', 'When did kim start the last build?', 'max started where author kim'],
    ['builds.jsonl', 'How many builds broke?', null],
    ['builds.jsonl', 'how many builds succeeded?', null],
    ['builds.jsonl', 'how many builds failed on login', 'count where result failed & branch login'],
    ['builds.jsonl', 'total seconds spent on main builds', 'sum duration_s where branch main'],
    ['builds.jsonl', 'who broke the most builds?', 'count by author most first 1'],
    ['builds.jsonl', 'Who started the most builds?', 'count by author most first 1'],
    ['laps.csv', 'What was the fastest lap?', 'min lap_time_s'],
    ['laps.csv', 'Who drove the fastest lap?', 'min lap_time_s'],
    ['laps.csv', 'Which team has the most points?', 'sum points by team most first 1'],
    ['laps.csv', 'who scored the most points', 'sum points by driver most first 1'],
    ['laps.csv', 'best lap time of Rossi', 'min lap_time_s where driver Rossi'],
    ['laps.csv', 'How many points did Haas score?', 'sum points where driver Haas'],
    ['reviews.csv', 'worst stars for Seaview', 'min stars where hotel Seaview'],
    ['reviews.csv', 'What is the best rating?', 'max stars'],
    ['reviews.csv', 'Which hotel has the best average rating?', 'mean stars by hotel most first 1'],
    ['reviews.csv', 'worst review', 'min stars'],
    ['reviews.csv', 'who wrote the oldest review?', 'min written'],
    ['reviews.csv', 'How many guests have written to us?', 'distinct guest'],
    ['reviews.csv', 'longest stay', null],
    ['payments.csv', 'largest declined payment', 'max amount_eur where outcome declined'],
    ['payments.csv', 'How many payments were declined?', 'count where outcome declined'],
    ['payments.csv', 'what fees did we pay in total?', 'sum fee_eur'],
    ['payments.csv', 'Which merchant received the most?', 'sum amount_eur by merchant most first 1'],
    ['payments.csv', 'How many payments went through PayPal?', 'count where method paypal'],
    ['payments.csv', 'when was the first payment to the florist?', 'min paid_at where merchant Florist'],
    ['bookings.csv', 'How many bookings were cancelled?', 'count where status cancelled'],
    ['bookings.csv', 'how many bookings did we lose to no-shows?', 'count where status no-show'],
    ['bookings.csv', 'How many bookings came from the web?', 'count where channel web'],
    ['bookings.csv', 'how many bookings came in over the phone?', 'count where channel phone'],
    ['bookings.csv', 'How many seats did Ada Lark book?', 'sum seats where customer_name Ada Lark'],
    ['bookings.csv', 'how many seats were booked in total', 'sum seats'],
    ['bookings.csv', 'How many customers have booked?', 'distinct customer_name'],
    ['bookings.csv', 'Which customer booked the most seats?', 'sum seats by customer_name most first 1'],
    ['bookings.csv', 'who booked most often?', 'count by customer_name most first 1'],
    ['bookings.csv', 'Which customer booked most often?', 'count by customer_name most first 1'],
    ['bookings.csv', 'From which country do most bookings come?', 'count by country most first 1'],
    ['bookings.csv', 'which country has the most customers', 'distinct customer_name by country most first 1'],
    ['bookings.csv', 'How many countries do the customers come from?', 'distinct country'],
    ['bookings.csv', 'What is the highest price per seat?', 'max price_per_seat'],
    ['bookings.csv', 'biggest discount', 'max discount'],
    ['bookings.csv', 'What was the first thing Bo complained about?', null],
    ['bookings.csv', 'what was the biggest discount we gave?', 'max discount'],
    ['bookings.csv', 'average number of seats per booking', 'mean seats'],
    ['bookings.csv', 'how many seats does a booking have on average?', 'mean seats'],
    ['bookings.csv', 'How many bookings with a discount?', null],
    ['bookings.csv', 'What was the first booking by Bo Finch?', 'min created where customer_name Bo Finch'],
    ['bookings.csv', 'When was the most recent booking?', 'max created'],
    ['bookings.csv', 'How many bookings were made in February?', 'count where created in February'],
    ['bookings.csv', 'How many bookings were there per channel?', 'count by channel'],
    ['bookings.csv', 'what share of bookings was cancelled', null],
    [
      'bookings.csv',
      'How many confirmed bookings did Bo make?',
      'count where status confirmed & customer_name Bo Finch',
    ],
    ['calls.jsonl', 'How many calls returned a 404?', 'count where status 404'],
    ['calls.jsonl', 'how many 500s were there?', 'count where status 500'],
    ['calls.jsonl', 'How many POST calls were there?', 'count where method POST'],
    ['calls.jsonl', 'Which path was called most?', 'count by path most first 1'],
    ['calls.jsonl', 'which path is requested the most?', 'count by path most first 1'],
    ['calls.jsonl', 'Which path gets the most traffic?', null],
    ['calls.jsonl', 'What was the slowest call?', 'max ms'],
    ['calls.jsonl', 'Which path is slowest on average?', 'mean ms by path most first 1'],
    ['calls.jsonl', 'average response time', 'mean ms'],
    ['calls.jsonl', 'mean ms of /feed', 'mean ms where path /feed'],
    ['calls.jsonl', 'How many different IPs called?', 'distinct ip'],
    ['calls.jsonl', 'how many IPs are there', 'distinct ip'],
    ['calls.jsonl', 'When was the first 500?', 'min time where status 500'],
    ['calls.jsonl', 'Which ip made the most calls?', 'count by ip most first 1'],
    ['calls.jsonl', 'how many bytes were sent in total?', 'sum bytes'],
    ['calls.jsonl', 'How many calls took longer than a second?', null],
    ['calls.jsonl', 'how many calls took more than 90 ms', 'count where ms > 90/0ms'],
  ])('%s: %s', async (name, question, expected) => {
    expect(await understood(question, name)).toBe(expected);
  });
});
